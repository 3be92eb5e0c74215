import type { Page } from '@playwright/test';
import { confirmAddress, expect, expectAccessible, PASSWORD, signIn, test } from './fixtures.ts';

const NEW_PASSWORD = 'another password for tests';

async function fillRegistration(page: Page, email: string, code: string, repeated = PASSWORD): Promise<void> {
  await page.getByRole('tab', { name: 'Registreren' }).click();
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Herhaal wachtwoord').fill(repeated);
  await page.getByLabel('Organisatiecode').fill(code);
}

const submit = (page: Page) => page.getByRole('button', { name: 'Registreren' });

/** Counts the calls to a path and lets them through. */
async function countCalls(page: Page, path: string): Promise<() => number> {
  let calls = 0;
  await page.route(`**${path}`, (route) => {
    calls += 1;
    return route.continue();
  });
  return () => calls;
}

test('a person who registers with a code signs in with the e-mail address filled in (AUTH-01, AUTH-03, AUTH-02)', async ({
  page,
  portal,
}) => {
  const { organization } = await portal.fleet();
  const calls = await countCalls(page, '/api/auth/register');
  await page.goto('/signin');
  await fillRegistration(page, 'nieuw@klant.nl', organization.code.toLowerCase());
  await submit(page).dblclick();
  await expect(page.getByRole('tab', { name: 'Inloggen' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('status')).toHaveText(
    'Je account is gemaakt. Log in met je nieuwe wachtwoord. Lukt dat niet, kijk dan in je mail.',
  );
  await expect(page.getByLabel('E-mailadres')).toHaveValue('nieuw@klant.nl');
  expect(calls()).toBe(1);
  const password = page.getByLabel('Wachtwoord', { exact: true });
  await expect(password).toBeFocused();
  await password.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Bevestig je e-mailadres' })).toBeVisible();
});

test('every field of the registration form is required and known to password managers; different or short passwords are not sent (AUTH-01, AUTH-04) @long', async ({
  page,
}) => {
  const calls = await countCalls(page, '/api/auth/register');
  await page.goto('/signin');
  await page.getByRole('tab', { name: 'Registreren' }).click();
  for (const [label, type, autocomplete] of [
    ['E-mailadres', 'email', 'username'],
    ['Wachtwoord', 'password', 'new-password'],
    ['Herhaal wachtwoord', 'password', 'new-password'],
    ['Organisatiecode', 'text', 'off'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute('required', '');
    await expect(field).toHaveJSProperty('type', type);
    await expect(field).toHaveAttribute('autocomplete', autocomplete);
  }
  await submit(page).click();
  expect(calls()).toBe(0);
  await fillRegistration(page, 'a@klant.nl', 'ABCD', `${PASSWORD}!`);
  await submit(page).click();
  await expect(page.getByRole('alert')).toHaveText("Passwords don't match");
  await expectAccessible(page, 'refused registration');
  await page.getByLabel('Wachtwoord', { exact: true }).fill('short');
  await page.getByLabel('Herhaal wachtwoord').fill('short');
  await submit(page).click();
  await expect(page.getByRole('alert')).toHaveText('Een wachtwoord heeft minstens 8 tekens.');
  expect(calls()).toBe(0);
});

test("a refused registration shows the server's message or a fallback message, and keeps the typed values (AUTH-05) @long", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/400|500/);
  await page.goto('/signin');
  await fillRegistration(page, 'b@klant.nl', 'NIET-DEZE');
  await submit(page).click();
  await expect(page.getByRole('alert')).toContainText('Registreren is niet gelukt.');
  await expect(page.getByLabel('Organisatiecode')).toHaveValue('NIET-DEZE');
  await expect(submit(page)).toBeFocused();
  await page.route('**/api/auth/register', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await submit(page).click();
  await expect(page.getByRole('alert')).toHaveText('Registration failed. Please try again.');
});

test('a person who forgot the password sets a new one with a mailed code, and each step shows its message (AUTH-06, AUTH-10)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const { email } = await portal.fleet();
  await page.goto('/signin');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByRole('button', { name: 'Wachtwoord Vergeten?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Wachtwoord vergeten' });
  await expect(dialog.getByLabel('E-mailadres')).toHaveValue(email);
  await expect(dialog.getByLabel('E-mailadres')).toBeFocused();
  await expectAccessible(page, 'reset, e-mail');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('A reset code has been sent to your email.');
  const code = dialog.getByLabel('Code');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(dialog.getByLabel('Nieuw wachtwoord')).toHaveAttribute('autocomplete', 'new-password');
  await expectAccessible(page, 'reset, code');

  await code.fill('NIET-DEZE');
  await dialog.getByLabel('Nieuw wachtwoord').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText(
    'Failed to reset password. Please check the code and try again.',
  );
  await expect.poll(() => portal.mailsTo(email), { timeout: 20_000 }).toHaveLength(1);
  const [mail] = portal.mailsTo(email);
  await code.fill(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/m.exec(mail!.text)![0]);
  await dialog.getByRole('button', { name: 'Wachtwoord wijzigen' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText(
    'Password reset successful. Please sign in with your new password.',
  );
  await expect(page.getByLabel('E-mailadres')).toHaveValue(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('a failed password reset shows the fallback message of its step when the server sends no message (AUTH-05, AUTH-06) @long', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/500/);
  await page.goto('/signin');
  const forgot = page.getByRole('button', { name: 'Wachtwoord Vergeten?' });
  await forgot.click();
  const dialog = page.getByRole('dialog');
  await page.route('**/api/auth/*', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await dialog.getByLabel('E-mailadres').fill('iemand@klant.nl');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Failed to send reset code. Please try again.');
  await page.route('**/api/auth/forgot-password', (route) => route.fulfill({ json: { message: 'x' } }));
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Code').fill('AAAA-BBBB');
  await dialog.getByLabel('Nieuw wachtwoord').fill('short');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Een wachtwoord heeft minstens 8 tekens.');
  await dialog.getByLabel('Nieuw wachtwoord').fill(NEW_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText(
    'Failed to reset password. Please check the code and try again.',
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(forgot).toBeFocused();
});

test("registering with an organization's code adds the account to that organization (AUTH-08, AUTH-10) @long", async ({
  page,
  portal,
}) => {
  const { organization, machine } = await portal.fleet();
  await (await machine({ alias: 'Van ons' })).report({ LATITUDE: 52, LONGITUDE: 5, Soc1: 50 });
  await page.goto('/signin');
  await fillRegistration(
    page,
    'collega@klant.nl',
    ` ${organization.code.slice(0, 4)}-${organization.code.slice(4)} `,
  );
  await submit(page).click();
  await expect(page.getByRole('status')).toContainText('Je account is gemaakt.');
  await signIn(page, 'collega@klant.nl');
  await confirmAddress(page, portal, 'collega@klant.nl');
  await expect(page.getByRole('button', { name: /Van ons/ }).first()).toBeVisible();
});
