import type { Page } from '@playwright/test';
import { expect, expectAccessible, forgetSession, signIn, signInByApi, test } from './fixtures.ts';

/** Opens the list of users and searches for one, because an administrator also sees the users of other tests. */
async function findUser(page: Page, email: string): Promise<void> {
  await page.goto('/Users/');
  await expect(page.getByRole('list', { name: 'Gebruikers' })).toBeVisible();
  const field = page.getByRole('searchbox', { name: 'Zoek een gebruiker' });
  if (await field.isVisible()) await field.fill(email);
}

test('deleting a user asks first and ends their session (USER-01) @long', async ({
  page,
  portal,
  browser,
}) => {
  const admin = await portal.fleet('admin');
  const { email, organization } = await portal.fleet();
  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await signIn(theirs, email);
  await signInByApi(page, admin.email);
  await findUser(page, email);
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: email, exact: true }) });
  await expect(card).toContainText(organization.clean);
  await card.getByRole('button', { name: `Delete ${email}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Weet je zeker dat je dit account wilt verwijderen' });
  await expect(dialog).toContainText(email);
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(card).toBeVisible();
  await card.getByRole('button', { name: `Delete ${email}` }).click();
  await dialog.getByRole('button', { name: 'Ja' }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: `${email} is verwijderd.` })).toBeVisible();
  await expect(theirs).toHaveURL('/signin', { timeout: 30_000 });
  await theirs.context().close();
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page).toHaveURL('/');
});

test('a user who is moved to admin and made administrator has that role at the next sign-in (USER-01, 13.1e) @long', async ({
  page,
  portal,
}) => {
  const admin = await portal.fleet('admin');
  const { email, organization } = await portal.fleet();
  await signInByApi(page, admin.email);
  await findUser(page, email);
  const move = page.getByRole('button', { name: `Verplaats ${email}` });
  await move.click();
  const dialog = page.getByRole('dialog', { name: 'Verplaats dit account' });
  const select = dialog.getByLabel('Naar organisatie');
  await expect(select).toBeFocused();
  await expectAccessible(page, 'move');
  await expect(select.locator('option', { hasText: organization.clean })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Verplaats' }).click(); // nothing chosen: nothing happens
  await expect(dialog).toBeVisible();
  await select.selectOption('admin');
  await expect(dialog).toContainText('Let op: dit account beheert dan de machines en loggers van alle');
  await dialog.getByRole('button', { name: 'Verplaats' }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: `${email} hoort nu bij Beheer.` })).toBeVisible();
  await expect(move).toBeFocused();
  await page.getByRole('button', { name: `Wijzig de rol van ${email}` }).click();
  const roles = page.getByRole('dialog', { name: 'Wijzig de rol' });
  await roles.getByRole('radio', { name: 'administrator' }).check();
  await expect(roles).toContainText('Let op: dit account kan dan alles beheren.');
  await roles.getByRole('button', { name: 'Bewaar' }).click();
  await expect(page.getByRole('status').filter({ hasText: `${email} is nu administrator.` })).toBeVisible();
  await forgetSession(page);
  await signInByApi(page, email);
  await findUser(page, email);
  await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText('dit ben jij');
});

test('the dialog shows why the server refuses to delete a user, and the account stays (USER-01) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/409|500/);
  const { email } = await portal.fleet('admin');
  await signInByApi(page, email);
  await findUser(page, email);
  await page.route('**/api/user/delete?**', (route) =>
    route.fulfill({ status: 409, json: { code: 'conflict', message: 'Dit is de laatste beheerder.' } }),
  );
  await page.getByRole('button', { name: `Delete ${email}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('je eigen account');
  await expectAccessible(page, 'question');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Dit is de laatste beheerder.');
  await expect(dialog.getByRole('button', { name: 'Ja' })).toBeFocused();
  await page.route('**/api/user/delete?**', (route) => route.fulfill({ status: 500, body: 'oops' }));
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Het account is niet verwijderd. Probeer het opnieuw.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: email })).toBeVisible();
});

test('a person who deletes their own account is signed out (USER-01) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/401/); // the page may request its list once more before it closes
  await portal.fleet('admin'); // so that it is not the last one
  const { email } = await portal.fleet('admin');
  await signInByApi(page, email);
  await findUser(page, email);
  await page.getByRole('button', { name: `Delete ${email}` }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(page).toHaveURL('/signin');
});

test('the search box of a list of more than twenty users finds the users that match every word (USER-01) @long', async ({
  page,
  portal,
}) => {
  const { email } = await portal.fleet('admin');
  const { pool } = await portal.database();
  await pool.query(
    `insert into account (email, password_hash, organization_id)
     select 'zoek-' || n || '@rij.nl', 'x', (select min(id) from organization where name <> 'admin')
     from generate_series(1, 21) n on conflict do nothing`,
  );
  await signInByApi(page, email);
  await page.goto('/Users/');
  await page.getByRole('searchbox', { name: 'Zoek een gebruiker' }).fill('RIJ.nl zoek-2');
  const rows = page.getByRole('list', { name: 'Gebruikers' }).getByRole('listitem');
  await expect(rows).toHaveCount(3); // zoek-2, zoek-20, zoek-21
  await expect(page.getByRole('status').filter({ hasText: /^3 van \d+ gebruikers$/ })).toBeVisible();
  await pool.query(`delete from account where email like 'zoek-%'`);
});
