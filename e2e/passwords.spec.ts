import type { Page } from '@playwright/test';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import {
  type E2ePortal,
  expect,
  expectAccessible,
  PASSWORD,
  signIn,
  test,
  workerPortalFixture,
} from './fixtures.ts';

const NEW_PASSWORD = 'another password for tests';
const DONE = 'Password reset successful. Please sign in with your new password.';

/** Requests a reset mail by an API call. @returns path and hash of the link in the mail */
async function linkByMail(page: Page, portal: E2ePortal, email: string): Promise<string> {
  const before = portal.mailsTo(email).length;
  const answer = await page.request.post('/api/auth/forgot-password', {
    data: { email },
    headers: SCRIPT_HEADERS,
  });
  expect(answer.status()).toBe(200);
  await expect.poll(() => portal.mailsTo(email), { timeout: 20_000 }).toHaveLength(before + 1);
  const mailed = /https?:\S*\/signin#reset=\S+$/m.exec(portal.mailsTo(email).at(-1)!.text)![0];
  const { pathname, hash } = new URL(mailed);
  return pathname + hash;
}

async function expectDone(page: Page): Promise<void> {
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText(DONE);
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Kies een nieuw wachtwoord' });

test('the link of the mail opens the form for a new password, and its token never stays in an address (13.3e) @long', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  const link = await linkByMail(page, portal, email);
  const token = link.split('=')[1] as string;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url(), request.headers().referer ?? ''));
  await page.goto('about:blank');
  await page.goto(link);
  const dialog = dialogOf(page);
  const password = dialog.getByLabel('Nieuw wachtwoord');
  await expect(password).toBeFocused();
  await expect(page).toHaveURL('/signin');
  await expect(dialog.getByLabel('E-mailadres')).toHaveValue(email);
  await expect(password).toHaveAttribute('autocomplete', 'new-password');
  await expect(dialog).toContainText('Minstens 8 tekens, liever 15 of meer.');

  await page.reload();
  await expect(password).toBeFocused();
  await expect(page).toHaveURL('/signin');
  await page.goBack();
  expect(page.url()).toBe('about:blank');
  await page.goForward();
  await expect(password).toBeFocused();
  expect(page.url()).not.toContain('reset');

  await password.fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expectDone(page);
  await expect(page.getByLabel('E-mailadres')).toHaveValue(email);
  await expect(page.getByLabel('Wachtwoord', { exact: true })).toBeFocused();
  expect(sent.filter((text) => text.includes(token))).toEqual([]);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Inloggen' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await signIn(page, email, NEW_PASSWORD);
});

test('a used, expired or incomplete link shows why it fails, and offers a new one (13.3e) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email } = await portal.fleet();
  const { pool } = await portal.database();
  const first = await linkByMail(page, portal, email);
  const second = await linkByMail(page, portal, email);
  await page.goto(first);
  await dialogOf(page).getByLabel('Nieuw wachtwoord').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expectDone(page);

  const dialog = page.getByRole('dialog', { name: 'Wachtwoord vergeten' });
  for (const used of [first, second]) {
    await page.goto('about:blank');
    await page.goto(used);
    await expect(dialog.getByRole('alert').first()).toContainText('Deze link is al gebruikt');
    await expect(page).toHaveURL('/signin');
  }
  await page.goto('about:blank');
  await page.goto(first.slice(0, -3));
  await expect(dialog.getByRole('alert').first()).toContainText('Deze link is niet compleet, of te oud.');
  await expectAccessible(page, 'a link that is cut short');

  const third = await linkByMail(page, portal, email);
  await pool.query(`update password_reset set link_until = now() where used_at is null`);
  await page.goto('about:blank');
  await page.goto(third);
  await expect(dialog.getByRole('alert').first()).toContainText('Deze link is verlopen');
  await expect(dialog.getByLabel('E-mailadres')).toBeFocused();
  await dialog.getByLabel('E-mailadres').fill(email);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('A reset code has been sent to your email.');
  await dialog.getByRole('button', { name: 'Annuleren' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Inloggen' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a signed-in person can use the link, and the new password ends the session (13.3e) @long', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet();
  await signIn(page, email);
  const link = await linkByMail(page, portal, email);
  await page.goto('about:blank');
  await page.goto(link);
  await dialogOf(page).getByLabel('Nieuw wachtwoord').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expectDone(page);
  await expect(page).toHaveURL('/signin');
});

test('a password that is easily guessed is refused with the reason, and the typed values stay (13.3b, 13.3c) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email, organization } = await portal.fleet();
  await page.goto('/signin');
  await page.getByRole('tab', { name: 'Registreren' }).click();
  await page.getByLabel('E-mailadres').fill(`nieuw-${email}`);
  await page.getByLabel('Organisatiecode').fill(organization.code);
  for (const [password, reason] of [
    ['Welkom01!', 'Dit is een veelgebruikt wachtwoord'],
    ['werkstroom', 'bijna alleen ‘werkstroom’'],
    [`nieuw-${email}`, 'Dit wachtwoord is bijna alleen'],
  ] as const) {
    await page.getByLabel('Wachtwoord', { exact: true }).fill(password);
    await page.getByLabel('Herhaal wachtwoord').fill(password);
    await page.getByRole('button', { name: 'Registreren' }).click();
    await expect(page.getByRole('alert')).toContainText(reason);
    await expect(page.getByLabel('Wachtwoord', { exact: true })).toHaveValue(password);
  }
});

test('a person changes their password by keyboard or by pasting, which ends the session of another browser (13.3a, 13.3d) @long', async ({
  page,
  portal,
  browser,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email } = await portal.fleet();
  const elsewhere = await browser.newContext({ baseURL: portal.address });
  const other = await elsewhere.newPage();
  await signIn(other, email);
  await signIn(page, email);
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Wachtwoord' });
  const present = panel.getByLabel('Huidig wachtwoord');
  const next = panel.getByLabel('Nieuw wachtwoord');
  await expect(present).toHaveAttribute('autocomplete', 'current-password');
  await expect(next).toHaveAttribute('autocomplete', 'new-password');
  for (const field of [present, next]) await expect(field).toHaveAttribute('type', 'password');
  const show = panel.getByRole('button', { name: 'Wachtwoord tonen' }).first();
  await show.click();
  await expect(present).toHaveAttribute('type', 'text');
  await show.click();
  await present.fill('a guess');
  await next.fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('alert')).toHaveText('Je huidige wachtwoord klopt niet.');
  await present.fill(PASSWORD);
  // A password manager fills in a text at once: 129 characters are refused. 128 characters from the clipboard arrive whole.
  await next.evaluate((input: HTMLInputElement) => input.select());
  await page.keyboard.insertText('x'.repeat(129));
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('alert')).toHaveText('Een wachtwoord heeft hoogstens 128 tekens.');
  const long = `${'een zin van honderdachtentwintig '.repeat(4)}`.slice(0, 128);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), long);
  await next.evaluate((input: HTMLInputElement) => input.select());
  await page.keyboard.press('ControlOrMeta+V');
  await expect(next).toHaveValue(long);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(panel.getByRole('button', { name: 'Wachtwoord wijzigen' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('status')).toHaveText(
    'Je wachtwoord is gewijzigd. Op andere apparaten ben je uitgelogd.',
  );
  await expect(present).toHaveValue('');
  await expect(other).toHaveURL('/signin');
  await page.reload();
  await expect(panel).toBeVisible();
  await signIn(other, email, long);
  await elsewhere.close();
});

/** Runs a test on a separate portal, in the state after the first `npm start`. */
const first = test.extend<object, { portal: E2ePortal }>({ portal: workerPortalFixture });

first(
  'the page that asks the first administrator for a password has no accessibility violation (13.10p) @long',
  async ({ page, portal, expectConsole }) => {
    expectConsole(/400/);
    const { email, password } = await portal.firstAdministrator();
    await signIn(page, email, password);
    const title = page.getByRole('heading', { level: 1 });
    for (const path of ['/', '/machine/', '/account']) {
      await page.goto(path);
      await expect(title).toHaveText('Kies een nieuw wachtwoord');
    }
    await page.getByLabel('Huidig wachtwoord').fill(password);
    await page.getByLabel('Nieuw wachtwoord').fill('welkom01');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').first()).toContainText('Dit is een veelgebruikt wachtwoord');
    await expectAccessible(page, 'choose a password');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/signin');
  },
);
