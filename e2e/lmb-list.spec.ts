import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn, signInByApi, test } from './fixtures.ts';
import { recordRailDay } from './rail-day.ts';

const DAY = { from: '2025-04-12T06:30:00Z', minutes: 120 }; // 08:30 to 10:30 in Amsterdam

test('an administrator creates an LMB logger, sees it with its panels, and deletes it (LOG-01, LOG-02, API-05) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/409/);
  const customer = await portal.fleet('logger');
  const other = await portal.fleet(); // no LMB logging customer
  const { email } = await portal.fleet('admin');
  await signIn(page, email);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'LMB Logging' }).click();
  await page.getByRole('link', { name: 'Maak een nieuwe LMB logging machine' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Maak Een Nieuwe LMB Logging Machine');
  const owner = page.getByLabel('Organisatie');
  await expect(owner.getByRole('option', { name: customer.organization.clean, exact: true })).toBeAttached();
  await expect(owner.getByRole('option', { name: other.organization.clean, exact: true })).toHaveCount(0);
  const loggerid = `8${String(Date.now()).slice(-6)}`;
  await owner.selectOption(customer.organization.name);
  await page.getByLabel('Loggerid').fill(loggerid);
  await page.getByLabel('Naam').fill('nieuw');
  await page.getByRole('button', { name: 'Maak Machine' }).click();
  await expect(page.getByText("Naam mag niet 'nieuw' zijn.")).toBeVisible();
  await page.getByLabel('Naam').fill(`Krol ${loggerid}`);
  await page.getByRole('button', { name: 'Maak Machine' }).click();
  await expect(page).toHaveURL('/lmb-logging/');
  await expect(page.getByRole('status').filter({ hasText: `Krol ${loggerid} is gemaakt.` })).toBeVisible();
  const card = page
    .getByRole('list', { name: 'Machines', exact: true })
    .getByRole('listitem')
    .filter({ hasText: `#${loggerid}` });
  await expect(card).toContainText(customer.organization.clean);

  // A number that exists is refused with a message, and the typed values stay.
  await page.goto('/lmb-logging/nieuw');
  await page.getByLabel('Organisatie').selectOption(customer.organization.name);
  await page.getByLabel('Loggerid').fill(loggerid);
  await page.getByLabel('Naam').fill('Ander');
  await page.keyboard.press('Enter');
  await expect(page.getByText('met dit nummer')).toBeVisible();
  await expect(page.getByLabel('Naam')).toHaveValue('Ander');

  await page.goto('/lmb-logging/');
  await card.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Krol ${loggerid}`);
  await expect(page.getByText('De logger heeft nog nooit iets gemeld.')).toBeVisible();
  for (const name of ['Configuratie van de logger', 'Toestand van de logger', 'Netwerk van de logger'])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  await page.getByRole('link', { name: 'Datadefinitie en signalen' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Datadefinitie');

  await page.goto('/lmb-logging/');
  await card.getByRole('button', { name: /Delete/ }).click();
  await expect(page.getByRole('dialog')).toContainText('Weet je zeker dat je deze machine wilt verwijderen');
  await page.getByRole('button', { name: 'Nee' }).click();
  await card.getByRole('button', { name: /Delete/ }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is verwijderd' })).toBeVisible();
  await expect(card).toHaveCount(0);
});

test('a user of an LMB customer sees only the loggers of that customer, and a user of another organization none (APP-06, LOG-01) @long', async ({
  page,
  portal,
  browser,
}) => {
  const { email, lmbLogger } = await portal.fleet('logger');
  const kar = await lmbLogger(`Kar van ${email}`);
  const other = await (await portal.fleet('logger')).lmbLogger('Van een ander');
  await signIn(page, email);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'LMB Logging' })).toHaveCount(0);
  await menu.getByRole('link', { name: 'Machines' }).click();
  await expect(page).toHaveURL('/lmb-logging/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Machines');
  await expect(page.getByRole('listitem').filter({ hasText: kar.alias })).toHaveCount(1);
  await expect(page.getByText(other.alias)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Delete/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /nieuwe LMB/ })).toHaveCount(0);
  for (const path of ['/machine/', '/lmb-logging/nieuw']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Geen toegang');
  }
  const theirs = await (await browser.newContext({ baseURL: portal.address })).newPage();
  await signInByApi(theirs, (await portal.fleet()).email);
  await theirs.goto(`/lmb-logging/${encodeURIComponent(kar.alias)}`);
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('Geen toegang');
  await theirs.context().close();
});

test("the page of another organization's logger does not exist (API-03, 15.8h)", async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/404/);
  const other = await (await portal.fleet('logger')).lmbLogger('Geheim');
  await signInByApi(page, (await portal.fleet('logger')).email);
  await page.goto(`/lmb-logging/${other.alias}`);
  await expect(page.getByRole('heading', { name: 'Deze machine bestaat niet' })).toBeVisible();
});

test('the page of energy fed back shows the energy of an LMB logger in a range (TEST-01, 12.A8, 15.7a, 15.7b, 15.7c) @long', async ({
  page,
  portal,
}) => {
  const { email, lmbLogger } = await portal.fleet('logger');
  const kar = await lmbLogger('Spoorkar Rem');
  await lmbLogger('Spoorkar Stil');
  // A rail day has 6 kW during half of its time: 6 kWh in the two hours of DAY, and 3 kWh in the hour on the day before.
  await recordRailDay(portal, kar.serial, { from: '2025-04-11T10:00+02:00', minutes: 60 });
  await recordRailDay(portal, kar.serial, DAY);
  await signInByApi(page, email);
  await page.goto('/test');
  await expect(page.getByRole('button', { name: 'Begin 12-04-25, 08:00' })).toBeVisible();
  await expect(page.getByText('6,00 kWh')).toBeVisible();
  await page.getByRole('button', { name: /^Begin/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '11 april 2025', exact: true }).click();
  await page.getByRole('button', { name: 'Klaar' }).click();
  // The energy of the earlier choice disappears.
  await expect(page.getByText('Kies ‘Update Data’ voor deze keuze.')).toBeVisible();
  await expect(page.getByText('6,00 kWh')).toHaveCount(0);
  await page.getByRole('button', { name: 'Update Data' }).click();
  await expect(page.getByText('9,00 kWh')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Teruggeleverd per dag' }).getByRole('listitem')).toHaveText([
    /11-04-2025: 3,00 kWh/,
    /12-04-2025: 6,00 kWh/,
  ]);
  await page
    .getByLabel('Machine of logger')
    .selectOption({ label: `Spoorkar Stil, #${Number(kar.serial) + 1}, ${await portalName(page)}` });
  await page.getByRole('button', { name: 'Update Data' }).click();
  await expect(page.getByText('geen metingen')).toBeVisible();
  await expect(page.getByText('kWh')).toHaveCount(0);
  await expectAccessible(page, '/test');
});

/** Returns the organization's name, with which the text of the first option ends. */
const portalName = async (page: Page): Promise<string> =>
  (await page.getByRole('option').first().textContent())!.split(', ').at(-1)!;
