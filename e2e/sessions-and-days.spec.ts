import type { Page } from '@playwright/test';
import { storeForecast } from '#server/charging-sessions/charge-forecasts.ts';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { dayText, formatDistance, formatKilowattHours, hoursAsClock, monthText } from '#shared/domain/nl.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { type DayFigures, dayAround, dayFigures } from '#shared/domain/test/oracle/days.ts';
import { type E2ePortal, expect, expectAccessible, signInByApi, test } from './fixtures.ts';
import {
  createUserWithMachine,
  expectPageFitsScreen,
  MACHINE_POSITION,
  openMachine,
  openSection,
  panelRegion,
} from './one-machine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEP_MS = 4 * MINUTE;

/** Returns the signals at `hours` since charging began: 4 hours of charging, a pause, 6 hours of work, a pause. */
function signalsAt(hours: number): Record<string, number> {
  const rest = {
    ...MACHINE_POSITION,
    MotorSpeed: 0,
    BatteryCurrent: 0,
    BatteryVoltage: 400,
    IsCharging1: 0,
    ChargingCurrent: 0,
  };
  const soc = (percent: number) => ({ Soc1: percent, Soc2: percent });
  if (hours >= 12 && hours < 18) {
    const LATITUDE = MACHINE_POSITION.LATITUDE + (hours - 12) / 100;
    return { ...rest, LATITUDE, ...soc(100 - 10 * (hours - 12)), MotorSpeed: 900, BatteryCurrent: 25 };
  }
  if (hours >= 4) return { ...rest, ...soc(hours < 12 ? 100 : 40) };
  const percent = hours < 2 ? 40 + 20 * hours : 60 + 10 * hours;
  const amps = hours < 2 ? 50 : 25;
  return { ...rest, ...soc(percent), BatteryCurrent: -amps, IsCharging1: 1, ChargingCurrent: amps };
}

/** Stores seven days of charging and work, and 80 minutes of charging until now. */
async function lived(portal: E2ePortal, serial: string): Promise<readonly Reading[]> {
  const { pool } = await portal.database();
  const { rows } = await pool.query<{ id: number }>('select id from stream where serial = $1', [serial]);
  const streamId = rows[0]?.id as number;
  const now = Math.floor(Date.now() / 1000) * 1000;
  const begun = now - 80 * MINUTE;
  const count = (7 * DAY + 80 * MINUTE) / STEP_MS;
  const readings = Array.from({ length: count + 1 }, (_, n) => {
    const time = begun - 7 * DAY + n * STEP_MS;
    return { time, signals: signalsAt(((time - begun + 7 * DAY) % DAY) / HOUR) };
  });
  await storeTestReadings(pool, streamId, readings);
  // Repeats the computation, because the portal may compute the same sessions at the same time.
  const sessionCount = async () => {
    await computeUntilUpToDate(pool, streamId);
    await storeForecast(pool, streamId, now);
    return (await pool.query('select from charge_forecast where stream_id = $1', [streamId])).rowCount;
  };
  await expect.poll(sessionCount).toBe(1);
  return readings;
}

/** Returns the totals of today and yesterday by docs/figures.md: running, energy out and charged, distance. */
function totalsOf(readings: readonly Reading[]): string[][] {
  const today = dayAround(Date.now());
  const days = [today, dayAround(today.from - 1)];
  const figures = dayFigures(
    readings,
    days.map((day) => [day]),
  );
  const energy = ({ energies }: DayFigures, mJ: number): string =>
    energies.knownMs > 0 ? formatKilowattHours(mJ / 3.6e9, 1) : '--';
  return [
    ['Draaiuren', ...figures.map(({ runningMs }) => hoursAsClock(runningMs / HOUR))],
    ['Verbruikt', ...figures.map((day) => energy(day, day.energies.outMj))],
    ['Geladen', ...figures.map((day) => energy(day, day.energies.chargedMj))],
    ['Afstand', ...figures.map(({ distanceMm }) => formatDistance(distanceMm / 1000))],
    [
      'Zelf gereden',
      ...figures.map(({ distanceMm, carriedMm }) => formatDistance((distanceMm - carriedMm) / 1000)),
    ],
    ['Vervoerd', ...figures.map(({ carriedMm }) => formatDistance(carriedMm / 1000))],
  ];
}

/** Scrolls to a panel, which the page loads only when it is near the screen, and waits until its data are loaded. */
async function near(page: Page, name: string) {
  const sought = panelRegion(page, name);
  await expect(async () => {
    await page.mouse.wheel(0, 20_000);
    await expect(sought).toBeVisible({ timeout: 500 });
  }).toPass();
  // The panel requests its data only now that it is near, after the tiles of the map.
  await expect(sought.getByText(/worden geladen$/)).toHaveCount(0, { timeout: 30_000 });
  // The loaded panel replaces its placeholder, which may interrupt the scrolling.
  await expect(async () => sought.scrollIntoViewIfNeeded({ timeout: 1_000 })).toPass();
  return sought;
}

test('the machine page shows charging sessions, days and the forecast, by keyboard (14.2o, 14.2k, 14.2l, 14.2m, 15.5c, 15.5h) @long', async ({
  page,
  portal,
}) => {
  const it = await createUserWithMachine(portal, { capacities: [60, 40] });
  const readings = await lived(portal, it.serial);
  await signInByApi(page, it.email);
  await openMachine(page, it.serial);
  const charge = panelRegion(page, 'Laad Status');
  await expect(charge).toContainText(/Vol tussen \d\d:\d\d en \d\d:\d\d/);
  await expect(charge).toContainText('Hoe vaak dat klopt, is nog niet bekend.');
  // The shown time is that of the forecast; the explanation has the specified formula.
  await expect(charge).toContainText(/Resterende laadtijd\d\d:\d\dVol tussen/);
  await expect(charge).toContainText(/Bij het vermogen van nu(, zonder het tragere laden aan het eind)?: \d/);
  await expect(charge).not.toContainText('ca. vol om');
  // Computes the expected totals again at each retry, because midnight may pass during the test.
  await expect(async () => {
    const expected = totalsOf(readings).map((row) => row.join(''));
    await expect(panelRegion(page, 'Vandaag en gisteren').locator('tbody tr')).toHaveText(expected);
  }).toPass();

  const days = await near(page, 'Dagen');
  const today = amsterdamDay(Date.now());
  await expect(days.getByRole('heading', { name: monthText(today.slice(0, 7)) })).toBeVisible();
  const shown = days.getByRole('button', { pressed: true }).and(page.locator('[data-day]'));
  await expect(shown).toHaveAttribute('data-day', today);
  await expect(shown).toHaveAccessibleName(/voorlopig$/);
  await expect(days.getByRole('region', { name: dayText(today) })).toContainText(/Voorlopig.*Dekking/s);
  await shown.focus();
  await page.keyboard.press('ArrowUp');
  // ArrowUp moves a week back, if that day is in the shown month.
  const before = amsterdamDay(Date.now() - 7 * DAY);
  const expected = before.startsWith(today.slice(0, 7)) ? before : today;
  await expect(shown).toHaveAttribute('data-day', expected);
  await expect(shown).toBeFocused();
  await days.getByRole('button', { name: 'Verbruik in kWh' }).click();
  await expect(days.getByRole('table')).toContainText(/[1-9]/);
  await days.getByRole('button', { name: 'Vorige maand' }).click();
  await days.getByRole('button', { name: 'Vorige maand' }).click();
  await expect(days).toContainText('Geen gegevens in deze maand');
  await days.getByRole('button', { name: `Naar ${monthText(today.slice(0, 7))}` }).click();
  await expect(shown).toHaveAttribute('data-day', today);

  const sessions = await near(page, 'Laadbeurten');
  await expect(sessions).toContainText(/Bruikbare capaciteit bij laden100,\d kWh.*uit 7 keer laden/s);
  await expect(sessions).toContainText('Ingevulde capaciteit100 kWh');
  const rows = sessions.getByRole('row');
  await expect(rows.nth(1)).toContainText('Laadt nog');
  // The keyboard moves from the newest session to the one before.
  await sessions.getByRole('button', { expanded: false }).nth(0).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(sessions.getByRole('button', { expanded: true })).toBeFocused();
  await expect(
    sessions.getByRole('img', { name: /^Laadvermogen per laadniveau: het hoogst 20,0 kW.*Bij 90% 10,0 kW/ }),
  ).toBeVisible();
  await expectPageFitsScreen(page);
  await expectAccessible(page, 'laadbeurten en dagen');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectPageFitsScreen(page);
});

test('the machine page reports a machine that was never charged, and a server that does not answer (14.2o) @long', async ({
  page,
  portal,
  expectConsole,
}) => {
  expectConsole(/Failed to load resource/);
  const it = await createUserWithMachine(portal);
  await it.report({ ...MACHINE_POSITION, Soc1: 80 });
  await signInByApi(page, it.email);
  await page.route('**/api/influx/capacity/**', (route) => route.abort());
  await openMachine(page, it.serial);
  const sessions = await near(page, 'Laadbeurten');
  await expect(sessions).toContainText('Geen laadbeurten in deze periode');
  await expect(sessions.getByRole('alert').first()).toContainText('De bruikbare capaciteit is niet geladen.');
  await page.unroute('**/api/influx/capacity/**');
  await expect(sessions).toContainText('na 5 laadbeurten');
  await expect(panelRegion(page, 'Laad Status')).not.toContainText('Vol tussen');
});

for (const [size, viewport] of [
  ['desk', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const)
  test(`a day shows how many charge levels of 0 are not used, and why, on a ${size} (52.5) @long`, async ({
    page,
    portal,
  }) => {
    const { email, serial, report } = await createUserWithMachine(portal);
    const now = Math.floor(Date.now() / 1000);
    await report({ ...MACHINE_POSITION, GMT_UNIX: now - 1, Soc1: 64 });
    await report({ ...MACHINE_POSITION, GMT_UNIX: now, Soc1: 0 });
    await page.setViewportSize(viewport);
    await signInByApi(page, email);
    const note = panelRegion(page, 'Dagen').getByText('1 keer laadniveau 0 niet meegeteld');
    await expect(async () => {
      await openMachine(page, serial);
      await near(page, 'Dagen');
      await openSection(page, 'Dagen');
      await expect(note).toBeVisible({ timeout: 3_000 });
    }).toPass({ timeout: 40_000 });
    await expect(note).toHaveAttribute('title', /^Zo snel loopt geen accu leeg of vol\./);
    await expectPageFitsScreen(page);
    await note.scrollIntoViewIfNeeded();
  });
