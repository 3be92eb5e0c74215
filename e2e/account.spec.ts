import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expireReauthentication,
  PASSWORD,
  signIn,
  signInByApi,
  test,
} from './fixtures.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name });

test('a page goes to the sign-in page after its session was ended from another device (13.6c) @long', async ({
  page,
  portal,
  browser,
  expectConsole,
}) => {
  expectConsole(/401/); // a call with the session that ended
  const { email } = await portal.fleet();
  const context = await browser.newContext({
    baseURL: portal.address,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
  });
  const theirs = await context.newPage();
  await signIn(theirs, email);
  await signIn(page, email);
  await page.goto('/account/');
  const sessions = panel(page, 'Waar je bent ingelogd');
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').first()).toContainText('Dit apparaat');
  const phone = sessions.getByRole('listitem').filter({ hasText: 'Safari op iPhone' });
  const answer = page.waitForResponse(/\/sessions\/end/);
  await phone.getByRole('button', { name: /^Beëindig Safari op iPhone/ }).click();
  await answer;
  const since = Date.now();
  // The browser polls every 5 s, and may wait for a busy machine.
  await expect(theirs).toHaveURL('/signin', { timeout: 15_000 });
  process.stdout.write(`Ended elsewhere, seen after ${Date.now() - since} ms\n`);
  await expect(page.getByRole('status').filter({ hasText: 'De sessie is beëindigd.' })).toBeVisible();
  await expect(phone).toHaveCount(0);
  await context.close();
});

test("'Beëindig alle andere' ends every session but the present one (13.6c) @long", async ({
  page,
  portal,
  browser,
}) => {
  const { email } = await portal.fleet('admin');
  const others = [
    await browser.newContext({ baseURL: portal.address }),
    await browser.newContext({ baseURL: portal.address }),
  ];
  for (const context of others) await signInByApi(await context.newPage(), email);
  await signInByApi(page, email);
  await page.goto('/account/');
  const sessions = panel(page, 'Waar je bent ingelogd');
  await expect(sessions.getByRole('listitem')).toHaveCount(3);
  await sessions.getByRole('button', { name: 'Beëindig alle andere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(sessions.getByText('Alle andere sessies zijn beëindigd.')).toBeVisible();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  for (const context of others) {
    expect((await context.request.get('/api/live')).status()).toBe(401);
    await context.close();
  }
});

test('a new name replaces the e-mail address in the menu at once (13.6b)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/account/');
  const who = panel(page, 'Wie je bent');
  await expect(who).toContainText(email);
  await who.getByLabel('Naam').fill('baas@klant.nl');
  await who.getByRole('button', { name: 'Bewaar naam' }).click();
  await expect(who.getByText('Naam mag geen @ of onleesbaar teken hebben.')).toBeVisible();
  await who.getByLabel('Naam').fill('Anna de Vries');
  await page.keyboard.press('Enter');
  await expect(who.getByRole('status')).toHaveText('Je heet nu Anna de Vries.');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Menu' })).toContainText('Anna de Vries');
});

test("'Mijn account' lists the charging subscriptions and ends them (13.6g) @long", async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const { serial, alias } = await machine();
  await signInByApi(page, email);
  await page.goto('/account/');
  const mine = panel(page, 'Mijn laadupdates');
  await expect(mine).toContainText('Je krijgt over geen machine mails.');
  await page.goto(`/machine/${serial}`);
  await page.getByRole('switch', { name: 'Voor laadupdate' }).click();
  await expect(page.getByRole('switch', { name: 'Voor laadupdate' })).toBeChecked();
  await page.goto('/account/');
  await expect(mine.getByRole('link', { name: alias })).toBeVisible();
  await mine.getByRole('button', { name: `Afmelden voor ${alias}` }).click();
  await expect(mine.getByText(`Je krijgt geen mails meer over het laden van ${alias}.`)).toBeVisible();
  await expect(mine).toContainText('Je krijgt over geen machine mails.');
});

test('a person downloads their own data as a file (13.6h) @long', async ({ page, portal }) => {
  const { email } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/account/');
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download mijn gegevens' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('mijn-gegevens.json');
  expect(JSON.parse(await readFile(await file.path(), 'utf8')).account['e-mailadres']).toBe(email);
});

test('deleting an account long after the sign-in asks for re-authentication, by keyboard alone (13.6f, 13.6i) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/40[013]/);
  const { email } = await portal.fleet();
  const second = await portal.fleet();
  expect(second.email).not.toBe(email);
  await signInByApi(page, email);
  await expireReauthentication(page, portal, email);
  await page.goto('/account/');
  await page.getByRole('button', { name: 'Verwijder mijn account' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Weet je zeker dat je je account wilt verwijderen' });
  const proof = page.getByRole('dialog', { name: 'Bevestig dat jij het bent' });
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter'); // Ja
  await expect(proof).toBeVisible();
  await expectAccessible(page, 'Bevestig dat jij het bent');
  await page.keyboard.press('Escape');
  await expect(proof).toHaveCount(0);
  await expect(question.getByRole('alert')).toHaveText('Bevestig eerst dat jij het bent.');
  await question.getByRole('button', { name: 'Ja' }).press('Enter');
  await expect(proof.getByLabel('Wachtwoord', { exact: true })).toBeFocused();
  await page.keyboard.type('een gok');
  await page.keyboard.press('Enter');
  await expect(proof.getByRole('alert')).toHaveText('Dit is niet je wachtwoord.');
  await proof.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/signin');
  await expect(signInByApi(page, email)).rejects.toThrow('bad_credentials');
});

test('re-authentication is asked once, and the page continues with the new session token (13.6f) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/40[13]/); // a poll with the old token gets a 401 while the session gets a new token
  const { email, machine } = await portal.fleet('admin');
  const first = await machine({ alias: 'Bewijs een' });
  const second = await machine({ alias: 'Bewijs twee' });
  await signInByApi(page, email);
  await expireReauthentication(page, portal, email);
  await page.goto('/machine/?zoek=bewijs');
  for (const { serial, alias } of [first, second]) {
    await page.getByRole('button', { name: `Delete ${alias}`, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
    if (serial !== first.serial) break;
    const proof = page.getByRole('dialog', { name: 'Bevestig dat jij het bent' });
    await proof.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
    await proof.getByRole('button', { name: 'Bevestig' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.waitForResponse(/\/api\/live/, { timeout: 20_000 });
  await expect(page).toHaveURL('/machine/?zoek=bewijs');
});

test('an open page leads to the form for a new password when the password must be changed (13.4k) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/403/);
  const { email } = await portal.fleet();
  await signIn(page, email);
  const { pool } = await portal.database();
  await pool.query('update account set must_change_password = true where email = $1', [email]);
  await expect(page.getByRole('heading', { name: 'Kies een nieuw wachtwoord' })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByText('Geen verbinding')).toHaveCount(0);
});
