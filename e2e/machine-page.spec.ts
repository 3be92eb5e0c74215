import { expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import {
  createUserWithMachine,
  expectPageFitsScreen,
  MACHINE_POSITION,
  openMachine,
  panelRegion,
  uploadPastReadings,
} from './one-machine.ts';

test('the page of a working machine shows every figure, explains it by keyboard, and names what is missing (MDET-02, MDET-03, MDET-04, MDET-05, MDET-08, MDET-09, MDET-10, 15.5a, 15.5b, 15.5g)', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, {
    alias: 'Élan',
    brand: 'Volvo',
    model: 'ECR25',
    capacities: [100, 50],
  });
  const { pool } = await portal.database();
  await pool.query(
    `update machine set macaddress = 'AA:BB:CC:DD:EE:FF', initial_hours = 1200,
       accessories = '[{"naam":"Klem","nummer":3},{"naam":"<b>Bak</b>","nummer":12}]' from stream s
     where s.id = stream_id and s.serial = $1`,
    [it.serial],
  );
  // An hour of 40 kW: 100 A at 400 V.
  const working = { ...MACHINE_POSITION, MotorSpeed: 900, BatteryCurrent: 100, BatteryVoltage: 400 };
  await uploadPastReadings(it, { from: 3_600, to: 0, step: 120 }, () => ({ ...working, Soc1: 80, Soc2: 60 }));
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Élan');
  await expect(page.getByText(`Volvo ECR25 #${it.serial}`)).toBeVisible();
  await expect(page.getByText('É', { exact: true })).toBeVisible();
  await expect(page.getByText('Afbeelding onbeschikbaar')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Draait' })).toBeVisible();
  await expect(page.getByText(/^Laatst gezien: (\d\d\/\d\d\/\d\d, )?\d\d:\d\d$/)).toBeVisible();

  const battery = panelRegion(page, 'Batterij Status');
  await expect(battery).toContainText('70%');
  // Usable energy: 0.8 x (80 % x 100 kWh + 60 % x 50 kWh) = 88 kWh, which lasts 2.2 h at 40 kW.
  await expect(battery).toContainText('02:12');
  await expect(battery).toContainText('2 u 12 min');
  // Only after two weeks of history does the page show until when the charge lasts.
  await expect(battery).toContainText(/Genoeg--\w+dag niet bekend/);
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
  // The hour lies on one day, or on two around midnight.
  const days = (await battery.getByRole('note').innerText()).matchAll(
    /\d\d-\d\d\s*(?:(\d+) u )?(\d+) min\s*40,0 kW/g,
  );
  const minutes = [...days].map(([, hours = 0, rest]) => Number(hours) * 60 + Number(rest));
  expect(Math.abs(minutes.reduce((a, b) => a + b, 0) - 60)).toBeLessThan(minutes.length);

  await expect(panelRegion(page, 'Laad Status')).toContainText('--:--');
  const info = panelRegion(page, 'Machine Info');
  await expect(info).toContainText('Draaiuren1.201,0uur');
  await expect(info).toContainText('Handleiding onbeschikbaar');
  await expect(info).toContainText('Mac-Address voor snelladenAA:BB:CC:DD:EE:FF');
  await expect(info.getByRole('button', { name: 'Kopieer het Mac-Address' })).toBeVisible();
  await expect(info.getByRole('listitem')).toHaveText(['Klem nr. 3', '<b>Bak</b> nr. 12']);
});

test('the page of a charging machine shows the time until full, and follows a change within 20 s (MDET-06, LIVE-05, MDET-15, 15.5a) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, { capacities: [100] });
  const charging = { ...MACHINE_POSITION, IsCharging1: 1, ChargingCurrent: 100, ChargingVoltage: 400 };
  await it.report({ ...charging, Soc1: 50 });
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const charge = panelRegion(page, 'Laad Status');
  // Time until full: (80 - 40) kWh / 40 kW.
  await expect(charge).toContainText('01:00');
  await expect(charge).toContainText(/1 u 0 min, ca. vol om \d\d:\d\d/);
  await expect(page.getByRole('status').filter({ hasText: /^Laden$/ })).toBeVisible();
  await expect(panelRegion(page, 'Machine Info')).toContainText('Niet Beschikbaar');
  await it.report({ ...charging, Soc1: 75 });
  await expect(charge).toContainText('00:30', { timeout: 20_000 });
  await expect(panelRegion(page, 'Batterij Status')).toContainText('75%');
});

test('the page of a stale machine marks it as stale, without estimates, and offers the last day with data (LIVE-07, MDET-03, 15.5d) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, { capacities: [100] });
  const ago = 3 * 86_400;
  await uploadPastReadings(it, { from: ago + 600, to: ago, step: 60 }, (n) => ({
    ...MACHINE_POSITION,
    Soc1: 90 - n,
    IsCharging1: 1,
    ChargingCurrent: 50,
  }));
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  await expect(page.getByText(/^Laatst gezien: \d\d\/\d\d\/\d\d, \d\d:\d\d$/)).toBeVisible();
  await expect(page.getByText('Gegevens zijn 3 dagen oud')).toBeVisible();
  await expect(panelRegion(page, 'Batterij Status')).toContainText(/--:--.*gegevens te oud/);
  await expect(panelRegion(page, 'Laad Status')).toContainText('--:--gegevens te oud');
  const history = panelRegion(page, 'Verloop');
  await expect(history).toContainText('Geen gegevens in deze periode');
  await expect(history).toContainText(/De laatste dag met gegevens is \d\d-\d\d-\d{4}\./);
  await expectPageFitsScreen(page);
  await history.getByRole('button', { name: 'Toon die dag' }).click();
  // The first point of the chart is the mean of a five-minute bucket, in which one to five of the readings lie.
  await expect(history.getByRole('img', { name: /Accu 1 van (90|89|88)% naar 8\d%/ })).toBeVisible();
  await expect(page).toHaveURL(/start=.*&end=/);
});

test('missing capacities, a silent pack and a missing position are named instead of estimated (MDET-04, LIVE-04, LIVE-06, 15.5d) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, { capacities: [] });
  const { pool } = await portal.database();
  await pool.query(
    `update machine set batteries = '[{"capacity":100},{"capacity":null}]' from stream s where s.id = stream_id and s.serial = $1`,
    [it.serial],
  );
  await it.report({ Soc1: 40, MotorSpeed: 900, BatteryCurrent: 10 });
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const battery = panelRegion(page, 'Batterij Status');
  await expect(battery.getByRole('listitem')).toHaveText(['Accu 140%', 'Accu 2--']);
  await expect(battery).toContainText('--:--');
  await expect(battery).toContainText('capaciteit van accu 2 niet ingevuld');
  await battery.getByRole('button', { name: 'Waarop de werktijd berust' }).click();
  await expect(battery.getByRole('note')).toContainText('Van een accu is de capaciteit niet ingevuld.');
  await expect(panelRegion(page, 'GPS Tracking')).toContainText('Van deze machine is geen positie bekend.');
  await page.getByRole('switch', { name: 'Route On/Off' }).click();
  await expect(page.getByText('Geen route: in deze periode zijn er geen posities.')).toBeVisible();
});
