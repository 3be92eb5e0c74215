import type { Page } from '@playwright/test';
import {
  type E2ePortal,
  enter,
  expect,
  expectAccessible,
  type Machine,
  PASSWORD,
  signIn,
  test,
} from './fixtures.ts';

/** No photo, no manual: a browser says it in its console. */
const NO_FILE = /404/;
const NO_POSITION = /has no position/;
const AT = { LATITUDE: 52.123456, LONGITUDE: 5.3 };
const now = (): number => Math.floor(Date.now() / 1000);

type Details = Parameters<Awaited<ReturnType<E2ePortal['fleet']>>['machine']>[0];

/** A user with one machine that reported; the console may say that it has no photo and no manual. */
async function withMachine(portal: E2ePortal, expectConsole: (pattern: RegExp) => void, details?: Details) {
  expectConsole(NO_FILE);
  const fleet = await portal.fleet();
  return { ...fleet, ...(await fleet.machine(details)) };
}

/** Reports every `step` seconds from `from` to `to` seconds ago, in order; `signals` of the n-th. */
async function drive(
  { report }: Pick<Machine, 'report'>,
  { from, to, step }: { from: number; to: number; step: number },
  signals: (n: number) => Record<string, number>,
): Promise<void> {
  const end = now();
  for (let ago = from, n = 0; ago >= to; ago -= step, n += 1)
    await report({ GMT_UNIX: end - ago, ...signals(n) });
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const open = (page: Page, serial: string, search = '') => page.goto(`/machine/${serial}${search}`);

/** Nothing is wider than the screen; a phone would make its window wider with it. */
async function expectToFit(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
}

test('MDET-02 MDET-03 MDET-04 MDET-05 MDET-08 MDET-09 MDET-10 a machine that works: every figure, its explanation by keyboard, and what it has not', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await withMachine(portal, expectConsole, {
    alias: 'Élan',
    brand: 'Volvo',
    model: 'ECR25',
    capacities: [100, 50],
  });
  const { pool } = await portal.database();
  await pool.query(
    `update machine set macaddress = 'AA:BB:CC:DD:EE:FF', initial_hours = 1200 from stream s
     where s.id = stream_id and s.serial = $1`,
    [it.serial],
  );
  // An hour of 40 kW: 100 A at 400 V.
  const working = { ...AT, MotorSpeed: 900, BatteryCurrent: 100, BatteryVoltage: 400 };
  await drive(it, { from: 3_600, to: 0, step: 120 }, () => ({ ...working, Soc1: 80, Soc2: 60 }));
  await enter(page, it.email);
  await open(page, it.serial);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Élan');
  await expect(page.getByText(`Volvo ECR25 #${it.serial}`)).toBeVisible();
  await expect(page.getByText('É', { exact: true })).toBeVisible();
  await expect(page.getByText('Afbeelding onbeschikbaar')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Draait' })).toBeVisible();
  await expect(page.getByText(/^Laatst gezien: \d\d:\d\d$/)).toBeVisible();

  const battery = panel(page, 'Batterij Status');
  await expect(battery).toContainText('70%');
  // 0.008 x (80 x 100 + 60 x 50) = 88 kWh at 40 kW.
  await expect(battery).toContainText('02:12');
  const perPack = battery.getByRole('button', { name: 'Percentage per accu' });
  await perPack.focus();
  await page.keyboard.press('Enter');
  await expect(battery.getByRole('note')).toHaveText(
    /Accu 1\s*80%\s*van 100 kWh\s*Accu 2\s*60%\s*van 50 kWh/,
  );
  await expectAccessible(page, 'tip');
  await page.keyboard.press('Escape');
  await expect(battery.getByRole('note')).toHaveCount(0);
  await expect(perPack).toBeFocused();
  await battery.getByRole('button', { name: 'Waarop de werktijd berust' }).click();
  await expect(battery.getByRole('note')).toContainText('Gemiddeld 40,0 kW');
  await expect(battery.getByRole('note')).toContainText(/\d\d-\d\d01:00 uur40,0 kW/);

  await expect(panel(page, 'Laad Status')).toContainText('--:--');
  const info = panel(page, 'Machine Info');
  await expect(info).toContainText('Draaiuren1.201,0uur');
  await expect(info).toContainText('Handleiding onbeschikbaar');
  await expect(info).toContainText('Mac-Address voor snelladenAA:BB:CC:DD:EE:FF');
  await expect(info.getByRole('button', { name: 'Kopieer het Mac-Address' })).toBeVisible();
});

test('MDET-06 LIVE-05 MDET-15 a machine that charges: the time left, and within 20 s what changes', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await withMachine(portal, expectConsole, { capacities: [100] });
  const charging = { ...AT, IsCharging1: 1, ChargingCurrent: 100, ChargingVoltage: 400 };
  await it.report({ ...charging, Soc1: 50 });
  await enter(page, it.email);
  await open(page, it.serial);
  const charge = panel(page, 'Laad Status');
  // (80 - 40) kWh / 40 kW
  await expect(charge).toContainText('01:00');
  await expect(charge).toContainText(/vol om \d\d:\d\d/);
  await expect(page.getByRole('status').filter({ hasText: /^Laden$/ })).toBeVisible();
  await expect(panel(page, 'Machine Info')).toContainText('Niet Beschikbaar');
  await it.report({ GMT_UNIX: now() + 1, ...charging, Soc1: 75 });
  await expect(charge).toContainText('00:30', { timeout: 20_000 });
  await expect(panel(page, 'Batterij Status')).toContainText('75%');
});

test('LIVE-07 MDET-03 a stale machine looks it, guesses no times, and offers its last day', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await withMachine(portal, expectConsole, { capacities: [100] });
  const ago = 3 * 86_400;
  await drive(it, { from: ago + 600, to: ago, step: 60 }, (n) => ({
    ...AT,
    Soc1: 90 - n,
    IsCharging1: 1,
    ChargingCurrent: 50,
  }));
  await enter(page, it.email);
  await open(page, it.serial);
  await expect(page.getByText(/^Laatst gezien: \d\d\/\d\d\/\d\d, \d\d:\d\d$/)).toBeVisible();
  await expect(page.getByText('Gegevens zijn 3 dagen oud')).toBeVisible();
  await expect(panel(page, 'Batterij Status')).toContainText('--:--');
  await expect(panel(page, 'Laad Status')).toContainText('--:--');
  const history = panel(page, 'Verloop');
  await expect(history).toContainText('Geen gegevens in deze periode');
  await expect(history).toContainText(/De laatste dag met gegevens is \d\d-\d\d-\d{4}\./);
  await expectToFit(page);
  await history.getByRole('button', { name: 'Toon die dag' }).click();
  await expect(history.getByRole('img', { name: /Accu 1 van (90|89)% naar 8\d%/ })).toBeVisible();
  await expect(page).toHaveURL(/start=.*&end=/);
});

test('MDET-01 an unknown machine, and another organization’s, do not exist', async ({ page, portal }) => {
  const other = await (await portal.fleet()).machine();
  await other.report(AT);
  const { email } = await portal.fleet();
  await signIn(page, email);
  for (const serial of ['bestaat-niet', other.serial]) {
    await open(page, serial);
    await expect(page.getByRole('heading', { name: 'Deze machine bestaat niet' })).toBeVisible();
    await expect(page.getByText(serial)).toBeVisible();
  }
});

test('MDET-01 a machine that the stored data do not know is waited for', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await withMachine(portal, expectConsole);
  await it.report({ ...AT, Soc1: 50 });
  await signIn(page, it.email);
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  // As after an earlier visit: another fleet, an hour ago.
  await page.addInitScript(() => {
    if (!location.pathname.startsWith('/machine/')) return;
    localStorage.setItem('liveData', '{}');
    localStorage.setItem('liveDataAt', String(Date.now() - 3_600_000));
  });
  let release = (): void => undefined;
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.context().route('**/api/live', async (route) => {
    await held;
    await route.continue();
  });
  await open(page, it.serial);
  await expect(page.getByText('Loading machine data...', { exact: true })).toBeVisible();
  release();
  await expect(panel(page, 'Batterij Status')).toContainText('50%');
});

test('MDET-07 MAIL-01 the switch shows what is stored, and says when it is not', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await withMachine(portal, expectConsole);
  await it.report({ ...AT, Soc1: 50 });
  await enter(page, it.email);
  await open(page, it.serial);
  const toggle = page.getByRole('switch', { name: 'Voor laadupdate' });
  await expect(toggle).not.toBeChecked();
  await toggle.focus();
  await page.keyboard.press('Space');
  await expect(toggle).toBeChecked();
  await page.reload();
  await expect(toggle).toBeChecked();
  expectConsole(/503/);
  await page.route('**/api/mail/unsubscribe', (route) => route.fulfill({ status: 503, body: 'x' }));
  await toggle.click();
  await expect(page.getByText('De laadupdate is niet gewijzigd. Probeer het opnieuw.')).toBeVisible();
  await expect(toggle).toBeChecked();
});

test('MAIL-02 the link of a mail asks after sign-in, once, whether the mails must stop', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await withMachine(portal, expectConsole, { alias: 'Kraan' });
  await it.report({ ...AT, Soc1: 50 });
  await signIn(page, it.email);
  await page.request.post('/api/mail/subscribe', { data: { serialNumber: it.serial } });
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await open(page, it.serial, '?afmelden=1');
  await page.getByLabel('E-mailadres').fill(it.email);
  await page.getByLabel('Wachtwoord', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Wil je geen mails meer over het laden van Kraan' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'afmelden');
  await dialog.getByRole('button', { name: 'Nee' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(`/machine/${it.serial}`);
  await expect(page.getByRole('switch', { name: 'Voor laadupdate' })).toBeChecked();
  await open(page, it.serial, '?afmelden=1');
  await dialog.getByRole('button', { name: 'Ja' }).click();
  await expect(page.getByText('Je krijgt geen mails meer over het laden van Kraan.')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Voor laadupdate' })).not.toBeChecked();
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Voor laadupdate' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('MDET-11 MDET-12 MDET-14 the live point follows; the route is in the address, and its points are stepped through by keyboard', async ({
  page,
  portal,
  expectConsole,
}) => {
  const it = await withMachine(portal, expectConsole, { alias: 'Rups', capacities: [100] });
  await drive(it, { from: 1_800, to: 60, step: 60 }, (n) => ({
    ...(n % 5 === 4 ? {} : { LATITUDE: 52 + n / 1000 + 0.000001, LONGITUDE: 5.123456 }),
    Speed: n,
    Soc1: 90 - n,
    MotorSpeed: n < 10 ? 900 : 0,
  }));
  await enter(page, it.email);
  await open(page, it.serial);
  const gps = panel(page, 'GPS Tracking');
  await expect(gps).toContainText('Lat52.028001');
  await expect(gps).toContainText('Lon5.123456');
  await expect(gps).toContainText(/Last Updatedvandaag, \d\d:\d\d|Last Updated\d\d-/);
  await it.report({ LATITUDE: 52.5, LONGITUDE: 5.2, Soc1: 50 });
  await expect(gps).toContainText('Lat52.500000', { timeout: 15_000 });
  // The marker is a button, and says the same.
  await gps.getByRole('button', { name: 'Rups' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Rups' })).toContainText('52.500000');
  await page.keyboard.press('Escape');

  const toggle = page.getByRole('switch', { name: 'Route On/Off' });
  await toggle.focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/route=on&start=[^&]+Z&end=[^&]+Z$/);
  const slider = page.getByRole('slider', { name: 'Punt op de route' });
  await expect(slider).toBeVisible();
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /^\d\d-\d\d-\d\d, \d\d:\d\d:\d\d, 0 km\/u, laadniveau 90%$/,
  );
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
  // The fifth reading had no place.
  await expect(slider).toHaveAttribute('aria-valuetext', /, 5 km\/u, laadniveau 85%$/);
  await expect(gps).toContainText('Lat52.005001');
  // The chart stands at the same moment.
  await expect(panel(page, 'Verloop')).toContainText(/\d\d:\d\d:\d\d: Accu 1 8\d%/);
  // And the other way round: pointing at its left end picks the first point of the route.
  const chart = panel(page, 'Verloop').getByRole('img');
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await expect(slider).toHaveJSProperty('value', '0');
  await slider.focus();
  for (let n = 0; n < 4; n += 1) await page.keyboard.press('ArrowRight');
  await gps.getByRole('button', { name: 'Vorig punt' }).click();
  await expect(slider).toHaveAttribute('aria-valuetext', /, 3 km\/u, laadniveau 87%$/);
  await expect(gps.getByText('Last Updated')).toHaveCount(0);

  const { length: points } = await (await page.request.get(`/api/influx/gps/${it.serial}`)).json();
  expect(Number(await slider.getAttribute('max'))).toBeLessThan(points);
  await page.reload();
  await expect(toggle).toBeChecked();
  await expect(slider).toBeVisible();
  await toggle.click();
  await expect(page).toHaveURL(/machine\/[^?]+/);
  await expect(gps).toContainText('Last Updated');
});

test.describe('a browser in New York, in English', () => {
  test.use({ timezoneId: 'America/New_York', locale: 'en-US' });
  test('APP-12 MDET-13 shows and takes times of Amsterdam, in Dutch, and says what cannot be', async ({
    page,
    portal,
    expectConsole,
  }) => {
    const it = await withMachine(portal, expectConsole);
    await it.report({ ...AT, Soc1: 50 });
    await enter(page, it.email);
    await open(page, it.serial, '?start=2026-03-28T23:00Z&end=2026-03-29T22:00Z');
    const gps = panel(page, 'GPS Tracking');
    const [begin, end] = [
      gps.getByRole('button', { name: /^Begin/ }),
      gps.getByRole('button', { name: /^Eind/ }),
    ];
    await expect(begin).toHaveText('29-03-26, 00:00');
    await expect(end).toHaveText('30-03-26, 00:00');
    await begin.click();
    const dialog = page.getByRole('dialog', { name: 'Begin' });
    await expect(dialog.getByText(/^maart 2026$/i)).toBeVisible();
    await expectAccessible(page, 'picker');
    const time = dialog.getByLabel('Tijd');
    await time.fill('25:00');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('Typ een tijd als 08:30.');
    await time.fill('930');
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(begin).toHaveText('29-03-26, 09:30');
    await expect(begin).toBeFocused();
    expect(new URL(page.url()).searchParams.get('start')).toBe('2026-03-29T07:30Z');

    // After the end: said at the field, and nothing is asked for.
    await begin.click();
    await dialog.getByRole('button', { name: 'Volgende maand' }).click();
    await dialog.getByRole('button', { name: /^2 april 2026/ }).click();
    await dialog.getByRole('button', { name: 'Klaar' }).click();
    await expect(gps.getByText('De begintijd ligt na de eindtijd.')).toBeVisible();
    expect(new URL(page.url()).searchParams.get('start')).toBe('2026-03-29T07:30Z');
    await end.click();
    await page.getByRole('dialog', { name: 'Eind' }).getByRole('button', { name: 'Volgende maand' }).click();
    await page
      .getByRole('dialog', { name: 'Eind' })
      .getByRole('button', { name: /^3 april 2026/ })
      .click();
    await page.getByRole('button', { name: 'Klaar' }).click();
    await expect(gps.getByText('De begintijd ligt na de eindtijd.')).toHaveCount(0);
    expect(new URL(page.url()).searchParams.get('start')).toBe('2026-04-02T07:30Z');

    const later = new Date(Date.now() + 3_600_000).toISOString();
    await open(page, it.serial, `?start=2026-03-28T23:00Z&end=${later}`);
    await expect(gps.getByText('De eindtijd ligt in de toekomst.')).toBeVisible();
    await page.getByRole('button', { name: 'Laatste 24 uur' }).click();
    await expect(gps.getByText('De eindtijd ligt in de toekomst.')).toHaveCount(0);
    await expect(panel(page, 'Verloop').getByRole('img')).toBeVisible();
  });
});

test('MDET-04 LIVE-04 LIVE-06 without capacities, with a silent pack, without a position: said, not guessed', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NO_POSITION);
  const it = await withMachine(portal, expectConsole, { capacities: [] });
  const { pool } = await portal.database();
  await pool.query(
    `update machine set batteries = '[{"capacity":100},{"capacity":null}]' from stream s where s.id = stream_id and s.serial = $1`,
    [it.serial],
  );
  await it.report({ Soc1: 40, MotorSpeed: 900, BatteryCurrent: 10 });
  await enter(page, it.email);
  await open(page, it.serial);
  const battery = panel(page, 'Batterij Status');
  await expect(battery.getByRole('listitem')).toHaveText(['Accu 140%', 'Accu 2--']);
  await expect(battery).toContainText('--:--');
  await battery.getByRole('button', { name: 'Waarop de werktijd berust' }).click();
  await expect(battery.getByRole('note')).toContainText('Van een accu is de capaciteit niet ingevuld.');
  await expect(panel(page, 'GPS Tracking')).toContainText('Van deze machine is geen positie bekend.');
  await page.getByRole('switch', { name: 'Route On/Off' }).click();
  await expect(page.getByText('Geen route: in deze periode zijn er geen posities.')).toBeVisible();
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('MDET-02 MDET-08 a machine with a photo and a manual shows them; who manages machines gets to its form', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(NO_POSITION); // an administrator sees the machines of other tests too
  const { email, machine } = await portal.fleet('admin');
  const it = await machine({ alias: 'Met foto' });
  await it.report({ ...AT, Soc1: 50 });
  await signIn(page, email);
  const photo = { serial: it.serial, name: 'foto.png', file: `data:image/png;base64,${PIXEL}` };
  expect((await page.request.post('/api/img/upload', { data: photo })).status()).toBe(200);
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ).toString('base64');
  const manual = { serial: it.serial, name: 'boek.pdf', file: `data:application/pdf;base64,${pdf}` };
  expect((await page.request.post('/api/manual/upload', { data: manual })).status()).toBe(200);
  await open(page, it.serial);
  const shown = page.getByRole('img', { name: 'Foto van Met foto' });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const link = page.getByRole('link', { name: /^Bekijken/ });
  await expect(link).toHaveAttribute('target', '_blank');
  expect((await page.request.get((await link.getAttribute('href'))!)).headers()['content-type']).toContain(
    'pdf',
  );
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page).toHaveURL(`/machine/edit/${it.serial}`);
});

test('MDET-08 MDET-10 a server that fails is told; what was there stays', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/503/);
  const it = await withMachine(portal, expectConsole);
  await drive(it, { from: 600, to: 0, step: 60 }, () => ({ ...AT, Soc1: 50, MotorSpeed: 900 }));
  await signIn(page, it.email);
  for (const call of ['img', 'manual', 'influx'])
    await page.route(`**/api/${call}/**`, (route) => route.fulfill({ status: 503, body: 'x' }));
  await open(page, it.serial);
  for (const sentence of [
    'Error loading image.',
    'Error loading manual.',
    'De draaiuren zijn niet geladen.',
    'Het verloop is niet geladen.',
    'Het gemiddelde vermogen is niet geladen.',
  ])
    await expect(page.getByText(sentence)).toBeVisible();
  await expect(panel(page, 'Batterij Status')).toContainText('50%');
  await page.unrouteAll();
  const history = panel(page, 'Verloop');
  await history.getByRole('button', { name: 'Opnieuw proberen' }).click();
  const chart = history.getByRole('img');
  await expect(chart).toBeVisible();
  // Another range fails: the one that was there stays.
  await page.route('**/api/influx/day/**', (route) => route.fulfill({ status: 503, body: 'x' }));
  await history.getByRole('button', { name: 'Laatste 7 dagen' }).click();
  await expect(history.getByText('Het verloop is niet geladen.')).toBeVisible();
  await expect(chart).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`MDET-12 the page with its route, axe and width, ${colorScheme}`, async ({
    page,
    portal,
    expectConsole,
  }) => {
    await page.emulateMedia({ colorScheme });
    const it = await withMachine(portal, expectConsole, { capacities: [100, 100, 100] });
    await drive(it, { from: 1_200, to: 0, step: 60 }, (n) => ({
      LATITUDE: 52 + n / 500,
      LONGITUDE: 5 + (n % 7) / 500,
      Soc1: 90 - n,
      Soc2: 80 - n,
      Soc3: 70 - n,
      MotorSpeed: 900,
    }));
    await enter(page, it.email);
    await open(page, it.serial, '?route=on');
    await expect(page.getByRole('slider')).toBeVisible();
    await panel(page, 'Verloop').getByText('in cijfers').click();
    await expect(page.getByRole('table', { name: 'Perioden' })).toContainText('Draait');
    await expectAccessible(page, 'machine page');
    await expectToFit(page);
  });
}
