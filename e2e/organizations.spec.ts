import { expect, expectAccessible, PASSWORD, signIn, signInByApi, test } from './fixtures.ts';

test('a user sees the name and the code of their own organization, and cannot change anything (ORG-01)', async ({
  page,
  portal,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await portal.fleet();
  const { email, organization } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/organization/');
  const cards = page.getByRole('list', { name: 'Organisaties' }).getByRole('listitem');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText(organization.clean);
  await expect(cards).toContainText(organization.code);
  await expect(page.getByRole('switch')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Delete/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /nieuwe organisatie/ })).toHaveCount(0);
  await page.getByRole('button', { name: `Kopieer de code van ${organization.clean}` }).click();
  await expect(page.getByText('Gekopieerd.')).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(organization.code);
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page).toHaveURL('/');
});

test('disabling an organization ends its sessions and refuses sign-ins, and enabling admits its users again (ORG-02) @long', async ({
  page,
  portal,
  browser,
  expectConsole,
}) => {
  expectConsole(/503/);
  const admin = await portal.fleet('admin');
  const { email, organization } = await portal.fleet();
  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await signIn(theirs, email);
  await signInByApi(page, admin.email);
  await page.goto('/organization/');
  const toggle = page.getByRole('switch', { name: `${organization.clean} actief`, exact: true });
  await expect(toggle).toBeChecked();
  await expect(toggle).toHaveText('Actief');
  // The dialog shows that disabling failed, and the switch stays on.
  await page.route('**/api/organization/disable/**', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Even geduld.' } }),
  );
  await toggle.click();
  await expectAccessible(page, 'switching off');
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByRole('dialog').getByRole('alert').filter({ hasText: 'Even geduld.' })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Nee' }).click();
  await expect(toggle).toBeChecked();
  await page.unroute('**/api/organization/disable/**');
  // The organization of the administrators has no switch and no bin.
  const own = page.getByRole('listitem').filter({ hasText: 'De beheerders' });
  await expect(own).toHaveCount(1);
  await expect(own.getByRole('switch').or(own.getByRole('button'))).toHaveCount(0);
  await toggle.focus();
  await page.keyboard.press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Ja' }).click();
  await expect(toggle).not.toBeChecked();
  await expect(toggle).toHaveText('Uitgeschakeld');
  await expect(toggle).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'is uitgeschakeld' })).toBeVisible();
  await expect(theirs).toHaveURL('/signin', { timeout: 30_000 });
  await theirs.getByLabel('E-mailadres').fill(email);
  await theirs.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await theirs.keyboard.press('Enter');
  await expect(theirs.getByRole('alert')).toContainText('uitgeschakeld');
  await toggle.click();
  await expect(toggle).toBeChecked();
  await signIn(theirs, email);
  await theirs.context().close();
});

test('deleting an organization lists what is deleted, asks for the name, and can be undone (ORG-03, 55.42) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400|403/);
  const admin = await portal.fleet('admin'); // its organization is empty
  const { organization, machine } = await portal.fleet();
  await machine();
  await signInByApi(page, admin.email);
  await page.goto('/organization/');

  const bin = page.getByRole('button', { name: `Delete ${organization.clean}`, exact: true });
  const dialog = page.getByRole('dialog', { name: 'Weet je zeker dat je dit bedrijf wilt verwijderen' });
  await bin.click();
  await expect(dialog.getByRole('button', { name: 'Nee' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(bin).toBeFocused();
  await bin.click();
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(dialog).toHaveCount(0);
  await bin.click();
  await expect(dialog.getByRole('listitem')).toContainText(['1 machine', '1 gebruiker']);
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(dialog.getByRole('alert').last()).toContainText(
    `Typ de naam precies zo: ${organization.clean}.`,
  );
  await expectAccessible(page, 'a refused deletion');
  await dialog.getByLabel('Naam van de organisatie').fill(organization.clean);
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(
    page.getByRole('status').filter({ hasText: 'De organisatie is uitgeschakeld.' }),
  ).toBeVisible();
  await expect(bin).toHaveCount(0);
  await page.getByRole('button', { name: `Neem terug: verwijderen van ${organization.clean}` }).click();
  await expect(page.getByRole('status').filter({ hasText: 'De organisatie is terug.' })).toBeVisible();
  await expect(bin).toBeVisible();

  const empty = page.getByRole('button', { name: `Delete ${admin.organization.clean}`, exact: true });
  await empty.click();
  await dialog.getByRole('button', { name: 'Ja' }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(empty).toHaveCount(0);
  await expect(
    page.getByRole('status').filter({ hasText: `${admin.organization.clean} is verwijderd.` }),
  ).toBeVisible();
  // The button that opened the dialog is gone, so the focus moves to the page.
  await expect(page.getByRole('main')).toBeFocused();
});

test('a beheerder changes the name of their organization, which the menu and the list show at once (55.46, 55.47) @long', async ({
  page,
  portal,
}) => {
  const { email, organization } = await portal.fleet('manager');
  await signInByApi(page, email);
  await page.goto('/organization/');
  const card = page.getByRole('list', { name: 'Organisaties' }).getByRole('listitem');
  await expect(card).toContainText(organization.code);
  await expect(card).not.toContainText('Er is nog nooit een account geweest');
  await page.getByRole('link', { name: `Instellingen van ${organization.clean}` }).click();
  const name = page.getByLabel('Nette Bedrijfs Naam');
  await expect(name).toHaveValue(organization.clean);
  await name.fill('4dmin');
  await page.getByRole('button', { name: 'Bewaar de naam' }).click();
  await expect(page.getByText('lijkt te veel op de naam van de beheerders').first()).toBeVisible();
  const renamed = `Hernoemd ${organization.clean}`;
  await name.fill(`  ${renamed} `);
  await page.getByRole('button', { name: 'Bewaar de naam' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: `De organisatie heet nu ${renamed}.` }),
  ).toBeVisible();
  await expect(name).toHaveValue(renamed);
  await expectAccessible(page, 'name');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByText(renamed).last()).toBeVisible();
  await page.goto('/organization/');
  await expect(card.getByRole('heading', { name: renamed })).toBeVisible();
});

test('an administrator makes an organization, which gets a code (ORG-04) @long', async ({
  page,
  portal,
  expectConsole,
}, { project }) => {
  expectConsole(/409/);
  const { email } = await portal.fleet('admin');
  const name = `kraanverhuur-${project.name}`;
  const clean = `Kraanverhuur <b>& Zn</b> ${project.name}`;
  await signInByApi(page, email);
  await page.goto('/organization/');
  await page.getByRole('link', { name: 'Maak een nieuwe organisatie' }).click();
  await expect(page).toHaveURL('/organization/nieuw');
  await expect(page.getByLabel('Functionele Bedrijfs Naam')).toHaveAttribute('placeholder', /^[a-z0-9-]+$/);
  const submit = page.getByRole('button', { name: 'Maak Organisatie' });
  let asked = 0;
  await page.route('**/api/organization/create?**', (route) => {
    asked += 1;
    return route.continue();
  });
  for (const field of ['Functionele Bedrijfs Naam', 'Nette Bedrijfs Naam']) {
    await expect(page.getByLabel(field)).toHaveAttribute('required', '');
  }
  await expect(page.getByLabel('Is LMB Logging Account')).not.toHaveAttribute('required', '');
  for (const [wrong, why] of [
    ['Kraan Verhuur', 'mag alleen kleine letters'],
    ['adm1n', 'lijkt te veel op de naam van de beheerders'],
  ] as const) {
    await page.getByLabel('Functionele Bedrijfs Naam').fill(wrong);
    await page.getByLabel('Nette Bedrijfs Naam').fill(clean);
    await submit.click();
    await expect(page.getByText(why)).toBeVisible();
  }
  await expectAccessible(page, 'a refused organization');
  expect(asked).toBe(0);
  await page.getByLabel('Functionele Bedrijfs Naam').fill(name);
  await page.getByLabel('Is LMB Logging Account').check();
  await submit.dblclick();
  await expect(page).toHaveURL('/organization/');
  expect(asked).toBe(1);
  const note = page.getByRole('status').filter({ hasText: `${clean} is gemaakt.` });
  const code = /[A-Z2-9]{12}/.exec((await note.textContent())!)![0];
  const card = page.getByRole('listitem').filter({ hasText: clean });
  await expect(card).toContainText(code);
  await expect(card).toContainText('LMB Logging');
  // 55.47: the card says that the first person who is admitted becomes beheerder.
  await expect(card).toContainText(
    'Er is nog nooit een account geweest: wie je als eerste toelaat, wordt beheerder.',
  );
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Er is nog nooit een account geweest' }),
  ).not.toHaveCount(0);
  await page.reload();
  await expect(card).toBeVisible();
  await expect(note).toHaveCount(0);

  await page.goto('/organization/nieuw');
  await page.getByLabel('Functionele Bedrijfs Naam').fill(name);
  await page.getByLabel('Nette Bedrijfs Naam').fill('Nog een');
  await submit.click();
  await expect(page.getByText('Er is al een organisatie')).toBeVisible();
  await expect(page.getByLabel('Nette Bedrijfs Naam')).toHaveValue('Nog een');
});

test('the page of organizations reports a failing server with a button to retry, and keeps a list that it loaded earlier (ORG-01) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400|Failed to load/);
  const { email, organization } = await portal.fleet();
  await signIn(page, email);
  await page.route('**/api/organization/get', (route) => route.fulfill({ status: 400, body: 'x' }));
  await page.goto('/organization/');
  const alert = page.getByRole('alert').filter({ hasText: 'De lijst is niet geladen.' });
  await expect(alert).toBeVisible();
  await page.unroute('**/api/organization/get');
  await page.getByRole('button', { name: 'Opnieuw proberen' }).click();
  await expect(page.getByText(organization.code)).toBeVisible();
  await expect(alert).toHaveCount(0);
  await page.route('**/api/organization/get', (route) => route.abort());
  await page.getByRole('link', { name: 'Terug' }).click();
  // Waits until the former page is gone: the URL changes before the next page is loaded.
  await expect(page.getByRole('heading', { name: 'Organisatie Codes' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Organisatie Codes' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'De lijst is niet vernieuwd.' })).toBeVisible();
  await expect(page.getByText(organization.code)).toBeVisible();
});
