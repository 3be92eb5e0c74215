import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expect, expectAccessible, expireReauthentication, PASSWORD, signIn, test } from './fixtures.ts';

/** Adds a virtual WebAuthn authenticator to Chromium, such as a phone that asks for a fingerprint. */
async function withAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId };
}

/** Enters the password, which leads to the second step. */
async function givePassword(page: Page, email: string): Promise<void> {
  await page.goto('/signin');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Tweede stap' })).toBeFocused();
}

/** Reads the shown recovery codes and confirms that they were stored. */
async function keepCodes(page: Page): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Herstelcodes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const texts = await codes.allInnerTexts();
  await expect(page.getByRole('button', { name: 'Klaar' })).toBeDisabled();
  await page.getByLabel('Ik heb de codes bewaard').check();
  await page.getByRole('button', { name: 'Klaar' }).click();
  return texts;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/signin');
}

/** Returns the code of an authenticator app, `steps` x 30 s from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Fills in the form with the QR code. @returns the secret */
async function addApp(page: Page, factorName: string): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR-code voor je authenticator-app' })).toBeVisible();
  const secret = (await page.getByText(/^(?:[A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '');
  await page.locator('[name="factorName"]').fill(factorName);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await page.getByRole('button', { name: 'Voeg toe' }).click();
  return secret;
}

test('a person adds a passkey and signs in with it, without a password and after one, by keyboard alone (13.4m) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/401/);
  const { email } = await portal.fleet();
  await withAuthenticator(page);
  await signIn(page, email);
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Tweede stap bij inloggen' });
  await panel.getByRole('button', { name: 'Passkey toevoegen' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Passkey toevoegen' });
  await expectAccessible(page, 'adding a passkey');
  await dialog.getByLabel('Naam').fill('Mijn telefoon');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Je herstelcodes' })).toBeVisible();
  await expectAccessible(page, 'recovery codes');
  await page.keyboard.press('Escape');
  await keepCodes(page);
  await expect(panel.getByRole('heading', { name: 'Mijn telefoon' })).toBeVisible();
  await expect(panel).toContainText('Nog 10 herstelcodes over.');
  await expectAccessible(page, 'the panel');
  await signOut(page);

  await page.getByRole('button', { name: 'Gebruik een passkey' }).press('Enter');
  await expect(page).toHaveURL('/');
  await signOut(page);

  await givePassword(page, email);
  await expectAccessible(page, 'the second step, a passkey');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Gebruik een passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('a device without the passkey shows that it has none, and a recovery code still signs in (13.4m) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/401/);
  const { email } = await portal.fleet();
  const { client, authenticatorId } = await withAuthenticator(page);
  await signIn(page, email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Passkey toevoegen' }).click();
  await page.locator('[name="factorName"]').fill('Mijn telefoon');
  await page.keyboard.press('Enter');
  const [code] = await keepCodes(page);
  await signOut(page);
  await client.send('WebAuthn.clearCredentials', { authenticatorId });
  await page.getByRole('button', { name: 'Gebruik een passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Er is geen passkey gekozen.' })).toBeVisible();
  await givePassword(page, email);
  await page.getByRole('button', { name: 'Gebruik een passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Er is geen passkey gekozen.' })).toBeVisible();
  await page.getByRole('button', { name: 'Apparaat kwijt? Gebruik een herstelcode' }).click();
  await page.getByLabel('Herstelcode', { exact: true }).fill(code as string);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
});

test('a required second factor is set up at once, and a lost phone is replaced by a recovery code or a reset (13.4m) @long', async ({
  page,
  portal,
  browser,
  expectConsole,
}) => {
  expectConsole(/401|403/);
  const { email, organization, colleague } = await portal.fleet('manager');
  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  const person = await colleague('user');
  await signIn(theirs, person);

  // The beheerder sets up a factor and requires one from everyone.
  await signIn(page, email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'App toevoegen' }).click();
  await addApp(page, 'Van de baas');
  await keepCodes(page);
  await page.goto(`/organization/${organization.name}`);
  const panel = page.getByRole('region', { name: 'Tweede stap bij inloggen' });
  await expect(panel).toContainText('1 van 2 personen heeft een tweede stap.');
  await panel.getByRole('switch', { name: 'Tweede stap verplicht' }).click();
  const sure = page.getByRole('dialog', { name: 'Weet je zeker dat je de tweede stap wilt verplichten' });
  await expect(sure).toContainText('1 persoon zonder tweede stap moet die meteen instellen');
  await expectAccessible(page, 'requiring it');
  await sure.getByRole('button', { name: 'Ja' }).click();
  await expect(panel.getByRole('switch')).toHaveAttribute('aria-checked', 'true');

  // The open page of the other person now shows only the set-up of a factor.
  await expect(theirs.getByRole('heading', { name: 'Stel een tweede stap in' })).toBeVisible({
    timeout: 30_000,
  });
  await expect(theirs.getByRole('banner')).toHaveCount(0);
  await expectAccessible(theirs, 'setting it up');
  await theirs.getByRole('button', { name: 'Met een authenticator-app' }).click();
  const wrong = theirs.getByRole('alert').filter({ hasText: 'De code klopt niet.' });
  await theirs.locator('[name="factorName"]').fill('Telefoon');
  await theirs.getByLabel('Code', { exact: true }).fill('000000');
  // Makes the sign-in too old, so that the change needs re-authentication.
  await expireReauthentication(theirs, portal, person);
  await theirs.keyboard.press('Enter');
  const proof = theirs.getByRole('dialog', { name: 'Bevestig dat jij het bent' });
  await expect(proof.getByLabel('Wachtwoord', { exact: true })).toBeFocused();
  await theirs.keyboard.type(PASSWORD);
  await theirs.keyboard.press('Enter');
  await expect(wrong).toBeVisible();
  await expectAccessible(theirs, 'the QR code');
  const secret = await addApp(theirs, 'Telefoon');
  const [recovery] = await keepCodes(theirs);
  await expect(theirs.getByRole('banner')).toBeVisible();
  await signOut(theirs);

  await givePassword(theirs, person);
  await expectAccessible(theirs, 'the second step, an app');
  await theirs.getByLabel('Code', { exact: true }).fill('000000');
  await theirs.keyboard.press('Enter');
  await expect(theirs.getByRole('alert').filter({ hasText: 'De code klopt niet' })).toBeVisible();
  await theirs.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
  await theirs.keyboard.press('Enter');
  await expect(theirs).toHaveURL('/');
  await signOut(theirs);

  // The phone is lost.
  await givePassword(theirs, person);
  await theirs.getByRole('button', { name: 'Apparaat kwijt? Gebruik een herstelcode' }).click();
  await expectAccessible(theirs, 'the recovery code');
  await theirs.getByLabel('Herstelcode', { exact: true }).fill((recovery as string).toLowerCase());
  await theirs.keyboard.press('Enter');
  await expect(theirs).toHaveURL('/');

  // The codes are lost too, so the beheerder resets the factor.
  await page.goto('/Users/');
  await page.getByRole('button', { name: `Wis de tweede stap van ${person}` }).click();
  const reset = page.getByRole('dialog', { name: 'Weet je zeker dat je de tweede stap wilt resetten' });
  await expectAccessible(page, 'resetting it');
  await reset.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is gereset' })).toBeVisible();
  await expect(theirs).toHaveURL('/signin', { timeout: 30_000 });
  await expect
    .poll(() => portal.mailsTo(person).map(({ subject }) => subject), { timeout: 20_000 })
    .toContain('Je tweede stap bij het inloggen is weggehaald');
  await signIn(theirs, person);
  await expect(theirs.getByRole('heading', { name: 'Stel een tweede stap in' })).toBeVisible();
  await theirs.getByRole('button', { name: 'Logout' }).click();
  await expect(theirs).toHaveURL('/signin');
  await theirs.context().close();
});

test('a person renames and removes factors, and new recovery codes replace the former ones (13.4m) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/401/); // a poll with the old token, while the session gets its next token
  const { email } = await portal.fleet();
  await signIn(page, email);
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Tweede stap bij inloggen' });
  await panel.getByRole('button', { name: 'App toevoegen' }).click();
  await addApp(page, 'Oud');
  const before = await keepCodes(page);
  await panel.getByRole('button', { name: 'Hernoem Oud' }).click();
  await panel.getByLabel('Naam').fill('Nieuw');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('heading', { name: 'Nieuw' })).toBeVisible();
  await panel.getByRole('button', { name: 'Nieuwe herstelcodes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  const after = await keepCodes(page);
  expect(after.filter((code) => before.includes(code))).toEqual([]);
  await panel.getByRole('button', { name: 'Verwijder Nieuw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(panel.getByRole('heading', { name: 'Nieuw' })).toHaveCount(0);
  await expect(panel).toContainText('niemand met alleen je wachtwoord');
  await signOut(page);
  await signIn(page, email);
});

test('an irreversible action asks for a factor that the person has, or for a new sign-in (13.6k) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/40[013]/);
  const { email } = await portal.fleet();
  await withAuthenticator(page);
  await signIn(page, email);
  await page.goto('/account');
  const factors = page.getByRole('region', { name: 'Tweede stap bij inloggen' });
  await factors.getByRole('button', { name: 'App toevoegen' }).click();
  const secret = await addApp(page, 'App');
  await keepCodes(page);
  const proof = page.getByRole('dialog', { name: 'Bevestig dat jij het bent' });
  const byPasskey = proof.getByRole('button', { name: 'Gebruik een passkey' });

  // The dialog for re-authentication accepts the password or a code.
  await expireReauthentication(page, portal, email);
  await factors.getByRole('button', { name: 'Passkey toevoegen' }).press('Enter');
  await page.locator('[name="factorName"]').fill('Mijn telefoon');
  await page.keyboard.press('Enter');
  await expect(proof.getByLabel('Wachtwoord', { exact: true })).toBeFocused();
  await expect(byPasskey).toHaveCount(0);
  await proof.getByRole('button', { name: 'Gebruik een code uit je app' }).press('Enter');
  await expect(proof.getByLabel('Code', { exact: true })).toBeFocused();
  await expectAccessible(page, 'a proof by a code');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(proof.getByRole('alert').filter({ hasText: 'De code klopt niet' })).toBeVisible();
  await proof.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expect(proof).toHaveCount(0);
  await expect(factors.getByRole('heading', { name: 'Mijn telefoon' })).toBeVisible();

  // The dialog for re-authentication accepts a passkey.
  await expireReauthentication(page, portal, email);
  await factors.getByRole('button', { name: 'Verwijder App' }).press('Enter');
  await page.getByRole('button', { name: 'Ja', exact: true }).press('Enter');
  await expect(byPasskey).toBeVisible();
  await expectAccessible(page, 'a proof by a passkey');
  await byPasskey.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(factors.getByRole('heading', { name: 'App' })).toHaveCount(0);

  // Removes the person's password and factors.
  const { pool } = await portal.database();
  await pool.query('update account set has_password = false where email = $1', [email]);
  await pool.query('delete from factor where account_id = (select id from account where email = $1)', [
    email,
  ]);
  await expireReauthentication(page, portal, email);
  await page.getByRole('button', { name: 'Verwijder mijn account' }).click();
  await page.getByRole('button', { name: 'Ja', exact: true }).click();
  await expect(proof).toContainText('Je hebt geen wachtwoord of tweede stap waarmee dat hier kan.');
  await expectAccessible(page, 'signing in again');
  await proof.getByRole('button', { name: 'Log opnieuw in' }).press('Enter');
  await expect(page).toHaveURL('/signin');
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Inloggen', exact: true }).click();
  await expect(page).toHaveURL('/account');
});
