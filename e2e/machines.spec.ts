import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, expectAccessible, signIn, signInByApi, test } from './fixtures.ts';
import { addMachines } from './many-machines.ts';

test('a user sees cards of their own machines, and cannot change anything (MLIST-01)', async ({
  page,
  portal,
}) => {
  await (await portal.fleet()).machine();
  const { email, machine, organization } = await portal.fleet();
  await signInByApi(page, email);
  await page.goto('/machine/');
  await expect(page.getByText('Er zijn nog geen machines')).toBeVisible();
  const { serial, alias } = await machine({ brand: 'Volta', model: 'EX-9 <b>&' });
  await page.reload();
  const cards = page.getByRole('list', { name: 'Machines', exact: true }).locator(':scope > li');
  await expect(cards).toHaveCount(1);
  await expect(cards.getByRole('heading')).toHaveText('EX-9 <b>&');
  for (const text of [alias, `#${serial}`, organization.clean, 'Volta'])
    await expect(cards).toContainText(text);
  await expect(page.getByRole('link', { name: /nieuwe machine|^Edit/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: /Verwijderde|Onbekende/ })).toHaveCount(0);
  await cards.getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/machine/${serial}`);
  await page.goto('/machine/');
  await page.getByRole('link', { name: 'Terug' }).click();
  await expect(page).toHaveURL('/');
});

/** Returns the address of the list filtered to one machine, because an administrator also sees the machines of other tests. */
const cardOf = (words: string): string => `/machine/?zoek=${encodeURIComponent(words)}`;

test('an administrator edits and adds a machine, deletes it after a confirmation, restores it, and reads why a deletion is refused (MLIST-02, MLIST-03)', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/404.*machine\/delete/);
  const { email, machine } = await portal.fleet('admin');
  const { serial, alias } = await machine();
  await signInByApi(page, email);
  await page.goto(cardOf(alias));
  await expect(page.getByRole('link', { name: 'Maak een nieuwe machine' })).toHaveAttribute(
    'href',
    '/machine/nieuw',
  );
  await expect(page.getByRole('link', { name: `Edit ${alias}`, exact: true })).toHaveAttribute(
    'href',
    `/machine/edit/${serial}`,
  );
  let deletions = 0;
  await page.route('**/api/machine/delete?**', (route) => {
    deletions += 1;
    expect(route.request().method()).toBe('DELETE');
    return route.continue();
  });
  const bin = page.getByRole('button', { name: `Delete ${alias}`, exact: true });
  const dialog = page.getByRole('dialog', {
    name: 'Weet je zeker dat je deze machine wilt verwijderen',
    exact: true,
  });
  await bin.click();
  await expect(dialog.getByRole('button', { name: 'Nee' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(deletions).toBe(0);
  await bin.click();
  await expectAccessible(page, 'question');
  await dialog.getByRole('button', { name: 'Ja' }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(bin).toHaveCount(0);
  expect(deletions).toBe(1);
  await expect(page.getByRole('status').filter({ hasText: 'is verwijderd' })).toBeVisible();

  await page.getByRole('button', { name: `Zet terug ${alias}` }).click();
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'is teruggezet' })).toBeVisible();
  await expect(bin).toBeVisible();
  await expect(page.getByRole('button', { name: `Zet terug ${alias}` })).toHaveCount(0);

  // The dialog reports that another person has deleted the machine meanwhile.
  await bin.click();
  await page.request.delete(`/api/machine/delete?machine_serial=${serial}`, { headers: SCRIPT_HEADERS });
  await page.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Deze machine bestaat niet.');
});

test('a deleted machine whose serial number is in use cannot be restored, and unknown loggers are listed (MLIST-01, MLIST-03, INGEST-03, INGEST-06) @long', async ({
  page,
  portal,
}) => {
  const { email, machine, organization } = await portal.fleet('admin');
  const { serial, alias } = await machine();
  const one = await machine();
  const { pool } = await portal.database();
  await pool.query(`insert into unknown_key (access_key, count, folder) values ($1, 12345, $2)`, [
    `WS-${one.serial}`,
    `WS_SN${one.loggerSerial}/1`,
  ]);
  await signIn(page, email);
  await page.request.delete(`/api/machine/delete?machine_serial=${serial}`, { headers: SCRIPT_HEADERS });
  const query = new URLSearchParams({
    brand: 'Volta',
    model: 'EX-1',
    alias: 'Opvolger',
    bedrijf: organization.name,
    macaddress: 'x',
    machine_serial: serial,
    influx_serial: '7654321',
  });
  expect((await page.request.get(`/api/machine/create?${query}`, { headers: SCRIPT_HEADERS })).status()).toBe(
    200,
  );
  await page.goto('/machine/');
  const card = page
    .getByRole('list', { name: 'Verwijderde machines' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: alias, exact: true }) });
  await expect(card).toContainText(`Het serienummer ${serial} is intussen van een andere machine.`);
  await expect(card.getByRole('button')).toHaveCount(0);
  const unknown = page
    .getByRole('list', { name: 'Onbekende loggers' })
    .getByRole('listitem')
    .filter({ hasText: `WS-${one.serial}` });
  await expect(unknown).toContainText('12.345 keer geweigerd');
  await expect(unknown).toContainText(`Map: WS_SN${one.loggerSerial}/1`);
  await expect(unknown.getByRole('link', { name: one.alias })).toHaveAttribute(
    'href',
    `/machine/edit/${one.serial}`,
  );
  await expectAccessible(page, 'list');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

test('the page of machines reports a failing server for each of its lists, with a button to retry (MLIST-01) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400|Failed to load/);
  const { email, machine } = await portal.fleet('admin');
  const { alias } = await machine();
  await signIn(page, email);
  for (const call of ['get/all', 'get/deleted', 'writer/unknown'])
    await page.route(`**/api/machine/${call}`, (route) => route.fulfill({ status: 400, body: 'x' }));
  await page.goto(cardOf(alias));
  const alerts = page.getByRole('alert');
  for (const sentence of [
    'De lijst is niet geladen.',
    'De verwijderde machines zijn niet geladen.',
    'De onbekende loggers zijn niet geladen.',
  ])
    await expect(alerts.filter({ hasText: sentence })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Opnieuw proberen' }).first().click();
  await expect(page.getByRole('link', { name: `Edit ${alias}`, exact: true })).toBeVisible();
});

test('a list of a thousand machines renders only visible cards, and Back restores search and scroll position (MLIST-01, 15.4a, 15.4b) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet();
  const first = await machine({ alias: 'Kraan 0000', capacities: [50, 50] });
  const { serial } = first;
  await addMachines(portal, serial, 999, "'Kraan ' || lpad(n::text, 4, '0')");
  await first.report({ Soc1: 80, Soc2: 60, MotorSpeed: 900 });
  await signInByApi(page, email);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/machine/');
  const cards = page.getByRole('list', { name: 'Machines', exact: true }).locator(':scope > li');
  await expect(page.getByText('1.000 machines')).toBeVisible();
  // The list is sorted by name, and each card shows the machine's present status.
  await expect(cards.first()).toContainText(/Kraan 0000Draait/);
  await expect(cards.first()).toContainText(/Laatst gezien: .*70%.*80%.*60%/);
  await expect(cards.nth(1)).toContainText(/Kraan 0001Uit/);
  expect(await cards.count()).toBeLessThan(60);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  const far = cards.filter({ hasText: /Kraan 0(49|50)\d/ }).first();
  await far.scrollIntoViewIfNeeded();
  expect(asked.filter((path) => path.startsWith('/api/img/'))).toEqual([]);
  const name = await far.getByRole('heading').getByRole('link').getAttribute('href');
  const before = await page.evaluate(() => window.scrollY);
  await far.getByRole('heading').getByRole('link').click();
  await expect(page).toHaveURL(name!);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Kraan');
  await page.goBack();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);

  await page.getByRole('searchbox', { name: 'Zoek een machine' }).fill('volta 0777');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Kraan 0777');
  await cards.getByRole('heading').getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kraan 0777');
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('volta 0777');
  await expect(cards).toHaveCount(1);
  await page.getByRole('searchbox').fill('zeppelin');
  await expect(page.getByText('Niets gevonden')).toBeVisible();
  // Deletes these machines, because administrators of other tests would see them.
  const { pool } = await portal.database();
  await pool.query(`update stream set deleted_at = now() - interval '90 days' where serial like $1 || '-%'`, [
    serial,
  ]);
});
