import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expireReauthentication,
  PASSWORD,
  signIn,
  signInByApi,
  test,
  waitForMailedLink,
} from './fixtures.ts';

const card = (page: Page, list: string, email: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem').filter({ hasText: email });
const noteOf = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

async function register(page: Page, email: string, code: string): Promise<void> {
  await page.goto('/signin');
  await page.getByRole('tab', { name: 'Registreren' }).click();
  await page.getByLabel('E-mailadres').fill(email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Herhaal wachtwoord').fill(PASSWORD);
  await page.getByLabel('Organisatiecode').fill(code);
  await page.getByRole('button', { name: 'Registreren' }).click();
}

test('an invited person sees the map within a minute of the invitation (13.2c) @phone', async ({
  page,
  portal,
  browser,
}) => {
  const { email: manager, organization, machine } = await portal.fleet('manager');
  const { alias, report } = await machine();
  await report({ LATITUDE: 52.1, LONGITUDE: 5.3, Soc1: 80 });
  const email = `nieuw-${organization.name}@elders.nl`;
  await signInByApi(page, manager);
  await page.goto('/Users/');
  const since = performance.now();
  await page.getByRole('button', { name: 'Nodig iemand uit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nodig iemand uit' });
  await dialog.getByLabel('E-mailadres').fill(email);
  await dialog.getByLabel('kijker').check();
  await expectAccessible(page, 'Nodig iemand uit');
  await page.keyboard.press('Enter');
  await expect(noteOf(page, `De uitnodiging voor ${email} wordt verstuurd.`)).toBeVisible();
  await expect(card(page, 'Uitnodigingen', email)).toContainText('kijker');
  await expectAccessible(page, 'Uitnodigingen');

  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await theirs.goto(await waitForMailedLink(portal, email, 'uitnodiging'));
  await expect(theirs.getByRole('heading', { name: `Welkom bij ${organization.clean}` })).toBeVisible();
  await expect(theirs.getByLabel('E-mailadres')).toHaveValue(email);
  await expectAccessible(theirs, 'Uitnodiging');
  await theirs.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await theirs.keyboard.press('Enter');
  await expect(theirs).toHaveURL('/');
  await expect(theirs.getByRole('button', { name: new RegExp(`^${alias}, `) })).toBeVisible();
  const seconds = (performance.now() - since) / 1000;
  expect(seconds).toBeLessThan(60);
  await expect(theirs.getByText('Bevestig je adres')).toHaveCount(0);

  await page.reload();
  await expect(card(page, 'Gebruikers', email)).toContainText('kijker');
  await expect(page.getByRole('list', { name: 'Uitnodigingen' })).toHaveCount(0);
  await theirs.context().close();
});

test('inviting a person as beheerder asks for re-authentication, and inviting one as kijker does not (13.6f) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/40[13]/);
  const { email: manager, organization } = await portal.fleet('manager');
  await signInByApi(page, manager);
  await expireReauthentication(page, portal, manager);
  await page.goto('/Users/');
  const invite = async (email: string, role: string) => {
    await page.getByRole('button', { name: 'Nodig iemand uit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nodig iemand uit' });
    await dialog.getByLabel('E-mailadres').fill(email);
    await dialog.getByLabel(role).check();
    await page.keyboard.press('Enter');
  };
  const viewer = `kijkt-${organization.name}@elders.nl`;
  await invite(viewer, 'kijker');
  await expect(noteOf(page, `De uitnodiging voor ${viewer} wordt verstuurd.`)).toBeVisible();

  const other = `baas-${organization.name}@elders.nl`;
  await invite(other, 'beheerder');
  const proof = page.getByRole('dialog', { name: 'Bevestig dat jij het bent' });
  await expect(proof.getByLabel('Wachtwoord', { exact: true })).toBeFocused();
  await expect(card(page, 'Uitnodigingen', other)).toHaveCount(0);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(noteOf(page, `De uitnodiging voor ${other} wordt verstuurd.`)).toBeVisible();
  await expect(card(page, 'Uitnodigingen', other)).toContainText('beheerder');
});

test('the link of a revoked invitation shows that it was revoked (13.2c) @long', async ({
  page,
  portal,
  browser,
}) => {
  const { email: manager, organization } = await portal.fleet('manager');
  const email = `weg-${organization.name}@elders.nl`;
  await signInByApi(page, manager);
  await page.goto('/Users/');
  await page.getByRole('button', { name: 'Nodig iemand uit' }).click();
  await page.getByRole('dialog').getByLabel('E-mailadres').fill(email);
  await page.getByRole('dialog').getByRole('button', { name: 'Nodig uit' }).click();
  const link = await waitForMailedLink(portal, email, 'uitnodiging');
  await page.getByRole('button', { name: `Trek in: ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(noteOf(page, `De uitnodiging van ${email} is ingetrokken.`)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Uitnodigingen' })).toHaveCount(0);

  const context = await browser.newContext({ baseURL: portal.address });
  const theirs = await context.newPage();
  await theirs.goto(link);
  await expect(theirs.getByRole('alert').filter({ hasText: 'ingetrokken' })).toBeVisible();
  await expectAccessible(theirs, 'ingetrokken');
  await theirs.getByRole('link', { name: 'Naar de inlogpagina' }).click();
  await expect(theirs).toHaveURL('/signin');
  await theirs.goto('/uitnodiging');
  await expect(theirs.getByRole('alert').filter({ hasText: 'niet compleet' })).toBeVisible();
  await context.close();
});

test('a person who registers where approval is required sees that they wait for it, and is admitted (13.2e) @long', async ({
  page,
  portal,
  browser,
}) => {
  const { email: manager, organization } = await portal.fleet('manager');
  await signInByApi(page, manager);
  await page.goto('/organization/');
  await page.getByRole('link', { name: `Instellingen van ${organization.clean}` }).click();
  await expect(page).toHaveURL(`/organization/${organization.name}`);
  await page.getByLabel('Code met goedkeuring').check();
  await page.getByRole('region', { name: 'Registreren' }).getByRole('button', { name: 'Bewaar' }).click();
  await expect(noteOf(page, 'Opgeslagen: code met goedkeuring.')).toBeVisible();
  await expectAccessible(page, 'Instellingen');

  const context = await browser.newContext({ baseURL: portal.address });
  const theirs = await context.newPage();
  const email = `wacht-${organization.name}@elders.nl`;
  await register(theirs, email, organization.code);
  await expect(noteOf(theirs, 'Je aanvraag is ontvangen.')).toBeVisible();
  await theirs.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await theirs.keyboard.press('Enter');
  await expect(theirs.getByRole('alert').filter({ hasText: 'wacht op toelating' })).toBeVisible();

  await expect.poll(() => portal.mailsTo(manager).length, { timeout: 20_000 }).toBe(1);
  expect(portal.mailsTo(manager)[0]?.text).toContain('/Users/');
  await page.goto('/Users/');
  await expectAccessible(page, 'Wacht op toelating');
  await expect(page.getByRole('heading', { name: 'Accounts' })).toBeVisible();
  await page.getByRole('button', { name: `Laat toe: ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(noteOf(page, `${email} is toegelaten en kan nu inloggen.`)).toBeVisible();
  await expect(card(page, 'Gebruikers', email)).toContainText('gebruiker');
  await signIn(theirs, email);

  // Until the address is confirmed, every page except 'Mijn account' shows what to do.
  await expect(theirs.getByRole('heading', { name: 'Bevestig je e-mailadres' })).toBeVisible();
  await theirs.goto('/overzicht');
  await expect(theirs.getByText(email)).toBeVisible();
  await expectAccessible(theirs, 'Bevestig eerst');
  await theirs.getByRole('link', { name: 'Mijn account' }).click();
  await expect(theirs.getByText('Bevestig je adres.')).toBeVisible();
  await expect(theirs.getByRole('heading', { name: 'Mijn gegevens' })).toBeVisible();
  await expect(theirs.getByRole('heading', { name: 'Meldingen' })).toHaveCount(0);
  await expectAccessible(theirs, 'Bevestig je adres');
  await theirs.getByRole('link', { name: 'Terug' }).click();
  await theirs.getByRole('button', { name: 'Stuur de mail opnieuw' }).click();
  await expect(noteOf(theirs, `Er is een mail onderweg naar ${email}.`)).toBeVisible();
  await theirs.goto(await waitForMailedLink(portal, email, 'bevestigen'));
  await expectAccessible(theirs, 'Bevestig je e-mailadres');
  await theirs.getByRole('button', { name: 'Bevestig' }).click();
  await expect(noteOf(theirs, `${email}: Je e-mailadres is bevestigd.`)).toBeVisible();
  await theirs.getByRole('link', { name: 'Naar het portaal' }).click();
  await expect(theirs.getByRole('button', { name: 'Menu' })).toBeVisible();
  await theirs.goto('/account/');
  await expect(theirs.getByRole('heading', { name: 'Mijn account' })).toBeVisible();
  await expect(theirs.getByText('Bevestig je adres.')).toHaveCount(0);
  // After an invalid link was refused, the button for confirming is gone from the page.
  await theirs.goto('/bevestigen#onzin');
  await theirs.getByRole('button', { name: 'Bevestig' }).click();
  await expect(theirs.getByRole('alert').filter({ hasText: 'Deze link is niet geldig.' })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Bevestig' })).toHaveCount(0);
  await context.close();
});

test('a refused applicant disappears from the list (13.2e)', async ({ page, portal }) => {
  const { email: manager, organization } = await portal.fleet('manager');
  const { pool } = await portal.database();
  const email = `nee-${organization.name}@elders.nl`;
  await pool.query(
    `insert into applicant (organization_id, email, password_hash) select id, $1, 'x' from organization where name = $2`,
    [email, organization.name],
  );
  await signInByApi(page, manager);
  await page.goto('/Users/');
  await page.getByRole('button', { name: `Weiger ${email}` }).click();
  await expect(page.getByRole('dialog')).toContainText('Uitnodigen kan wel.');
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(noteOf(page, `${email} is geweigerd.`)).toBeVisible();
  await expect(page.getByText('Wacht op toelating')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Accounts' })).toHaveCount(0);
  await expect.poll(() => portal.mailsTo(email).length, { timeout: 20_000 }).toBe(1);
});

test('a new registration code works at once, and members see it only while the code alone is enough to register (13.2h, 13.12) @long', async ({
  page,
  portal,
  browser,
}) => {
  const { email: manager, organization } = await portal.fleet('manager');
  const { pool } = await portal.database();
  const member = `lid-${organization.name}@klant.nl`;
  await pool.query(
    `insert into account (email, password_hash, organization_id, role, confirmed_at)
     select $1, password_hash, organization_id, 'gebruiker', now() from account where email = $2`,
    [member, manager],
  );
  const context = await browser.newContext({ baseURL: portal.address });
  const theirs = await context.newPage();
  await signInByApi(theirs, member);
  await theirs.goto('/organization/');
  await expect(theirs.getByText(organization.code)).toBeVisible();
  await expect(theirs.getByRole('link', { name: /^Instellingen/ })).toHaveCount(0);
  await theirs.goto(`/organization/${organization.name}`);
  await expect(theirs.getByRole('heading', { name: 'Geen toegang' })).toBeVisible();

  await signInByApi(page, manager);
  await page.goto(`/organization/${organization.name}`);
  await expect(page.getByText(organization.code)).toBeVisible();
  // The message stays until another one replaces it.
  const privacy = page.getByRole('region', { name: 'Posities en privacy' });
  await privacy.getByLabel('Wie ziet routes van het verleden?').selectOption('Alleen beheerders');
  await privacy.getByRole('button', { name: 'Bewaar' }).click();
  await expect(privacy.getByRole('status')).toHaveText('Bewaard.');
  await page.getByRole('button', { name: 'Vernieuw de code' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(noteOf(page, 'De code is vernieuwd.')).toBeVisible();
  await expect(page.getByText(organization.code)).toHaveCount(0);
  await page.getByLabel('Alleen uitnodiging').check();
  await page.getByRole('region', { name: 'Registreren' }).getByRole('button', { name: 'Bewaar' }).click();
  await expect(noteOf(page, 'Opgeslagen: alleen uitnodiging.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Vernieuw de code' })).toHaveCount(0);
  await expect(privacy.getByRole('status')).toHaveText('Bewaard.');
  await theirs.goto('/organization/');
  await expect(theirs.getByText('Nieuwe mensen komen er alleen op uitnodiging in.')).toBeVisible();
  await expect(theirs.locator('code')).toHaveCount(0);
  await context.close();
});

test('the deletion of a user asks whether the person may register with the code again (13.2f) @long', async ({
  page,
  portal,
}) => {
  const { email: manager, organization } = await portal.fleet('manager');
  const { pool } = await portal.database();
  const leaving = [`weg-${organization.name}@klant.nl`, `terug-${organization.name}@klant.nl`] as const;
  for (const email of leaving)
    await pool.query(
      `insert into account (email, password_hash, organization_id, role)
       select $1, password_hash, organization_id, 'gebruiker' from account where email = $2`,
      [email, manager],
    );
  await signInByApi(page, manager);
  await page.goto('/Users/');
  for (const email of leaving) {
    await page.getByRole('button', { name: `Delete ${email}` }).click();
    const box = page.getByRole('dialog').getByLabel('Mag met de code terugkomen');
    await expect(box).not.toBeChecked();
    if (email === leaving[1]) await box.check();
    await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
    await expect(noteOf(page, `${email} is verwijderd.`)).toBeVisible();
  }
  const answers = await Promise.all(
    leaving.map((email) =>
      page.request.post('/api/auth/register', {
        headers: { 'x-requested-with': 'test' },
        data: { email, password: PASSWORD, organizationCode: organization.code },
      }),
    ),
  );
  expect(answers.map((answer) => answer.status())).toEqual([400, 200]);
});
