import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { expect, signIn, test } from './fixtures.ts';
import {
  createUserWithMachine,
  MACHINE_POSITION,
  openMachine,
  panelRegion,
  uploadPastReadings,
} from './one-machine.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('the pages of an unknown machine and of another organization’s do not exist (MDET-01) @long', async ({
  page,
  portal,
}) => {
  const other = await (await portal.fleet()).machine();
  await other.report(MACHINE_POSITION);
  const { email } = await portal.fleet();
  await signIn(page, email);
  for (const serial of ['bestaat-niet', other.serial]) {
    await openMachine(page, serial);
    await expect(page.getByRole('heading', { name: 'Deze machine bestaat niet' })).toBeVisible();
    await expect(page.getByText(serial)).toBeVisible();
  }
});

test('the machine page waits for a machine that the stored copy of the live data does not contain (MDET-01) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal);
  await it.report({ ...MACHINE_POSITION, Soc1: 50 });
  await signIn(page, it.email);
  // Waits until the browser has stored whose live data it keeps (liveDataOf), which it does at the first response.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('liveDataOf'))).toContain(it.email);
  // Replaces the stored copy of the live data by one that is an hour old and does not contain this machine.
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
  await openMachine(page, it.serial);
  await expect(page.getByText('Loading machine data...', { exact: true })).toBeVisible();
  release();
  await expect(panelRegion(page, 'Batterij Status')).toContainText('50%');
});

test('a machine with a photo and a manual shows them, and an administrator can open its edit form (MDET-02, MDET-08) @long', async ({
  page,
  portal,
}) => {
  const { email, machine } = await portal.fleet('admin');
  const it = await machine({ alias: 'Met foto' });
  await it.report({ ...MACHINE_POSITION, Soc1: 50 });
  await signIn(page, email);
  const photo = { serial: it.serial, name: 'foto.png', file: `data:image/png;base64,${PIXEL}` };
  expect(
    (await page.request.post('/api/img/upload', { data: photo, headers: SCRIPT_HEADERS })).status(),
  ).toBe(200);
  const pdf = Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ).toString('base64');
  const manual = { serial: it.serial, name: 'boek.pdf', file: `data:application/pdf;base64,${pdf}` };
  expect(
    (await page.request.post('/api/manual/upload', { data: manual, headers: SCRIPT_HEADERS })).status(),
  ).toBe(200);
  await openMachine(page, it.serial);
  const shown = page.getByRole('img', { name: 'Foto van Met foto' });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const link = page.getByRole('link', { name: /^Bekijken/ });
  await expect(link).toHaveAttribute('target', '_blank');
  expect((await page.request.get((await link.getAttribute('href'))!)).headers()['content-type']).toContain(
    'pdf',
  );
  await page.getByRole('link', { name: 'Wijzig', exact: true }).click();
  await expect(page).toHaveURL(`/machine/edit/${it.serial}`);
});

test('the machine page reports a failing server, and keeps the data that it loaded earlier (MDET-08, MDET-10) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/400/);
  const it = await createUserWithMachine(portal);
  await uploadPastReadings(it, { from: 600, to: 0, step: 60 }, () => ({
    ...MACHINE_POSITION,
    Soc1: 50,
    MotorSpeed: 900,
  }));
  await signIn(page, it.email);
  for (const call of ['machine/files', 'influx'])
    await page.route(`**/api/${call}/**`, (route) => route.fulfill({ status: 400, body: 'x' }));
  await openMachine(page, it.serial);
  for (const sentence of [
    'Error loading image.',
    'Error loading manual.',
    'De draaiuren zijn niet geladen.',
    'Het verloop is niet geladen.',
    'Het gemiddelde vermogen is niet geladen.',
  ])
    await expect(page.getByText(sentence)).toBeVisible();
  await expect(panelRegion(page, 'Batterij Status')).toContainText('50%');
  await page.unrouteAll();
  const history = panelRegion(page, 'Verloop');
  await history.getByRole('button', { name: 'Opnieuw proberen' }).click();
  const chart = history.getByRole('img');
  await expect(chart).toBeVisible();
  // If the data of a newly chosen range fail to load, the chart of the earlier range stays.
  await page.route('**/api/influx/day/**', (route) => route.fulfill({ status: 400, body: 'x' }));
  await history.getByRole('button', { name: 'Laatste 7 dagen' }).click();
  await expect(history.getByText('Het verloop is niet geladen.')).toBeVisible();
  await expect(chart).toBeVisible();
});
