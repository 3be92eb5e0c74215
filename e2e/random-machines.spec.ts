/** Compares the pages of random machines with the oracle: an independent computation by docs/figures.md. */
import type { Page } from '@playwright/test';
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import {
  dateAndSecond,
  dateAndTime,
  dutchDate,
  formatCoordinate,
  formatDecimals,
  formatDistance,
  formatKilowattHours,
  formatKilowatts,
  formatPercent,
  formatSpeed,
  hoursAsClock,
  hoursText,
  statusLabel,
} from '#shared/domain/nl.ts';
import { withoutUnusedValues } from '#shared/domain/test/oracle/counting.ts';
import {
  computeDisplayedEnergies,
  computePowerShare,
  computeWorkPower,
  powerOfDays,
} from '#shared/domain/test/oracle/energy.ts';
import { hourMeter } from '#shared/domain/test/oracle/hours.ts';
import { liveStateOf } from '#shared/domain/test/oracle/live.ts';
import { distanceMetres as metresOf, pathPoints } from '#shared/domain/test/oracle/path.ts';
import { type RandomMachine, randomMachine } from '#shared/domain/test/oracle/random-machine.ts';
import { socByPack, socSummary } from '#shared/domain/test/oracle/soc.ts';
import { activityBands, statusSums } from '#shared/domain/test/oracle/status.ts';
import { isInRange, type Range } from '#shared/domain/test/oracle/track.ts';
import { expect, signInByApi, test } from './fixtures.ts';
import { createUserWithMachine, openMachine, panelRegion } from './one-machine.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Returns the time of the first reading: shortly before midnight in Amsterdam, five days ago, so that the readings are within the 30 days
 * of the mean power.
 */
const recent = (): number => amsterdamDayRange(amsterdamDay(Date.now() - 5 * DAY))!.to - 40 * 60_000;
/** The default range of /test (TEST-01): 12 April 2025, 08:00 to 20:00 in Amsterdam. */
const TEST_RANGE: Range = { from: Date.UTC(2025, 3, 12, 6), to: Date.UTC(2025, 3, 12, 18) };
const onTheDayOfTest = (): number => TEST_RANGE.from - 10 * 60_000;

/** Checks 'Verloop': sums, state of charge of each pack, and periods. */
async function checkCourse(page: Page, { stored }: RandomMachine, range: Range): Promise<void> {
  const course = panelRegion(page, 'Verloop');
  const { runningMs, chargingMs } = statusSums(stored, range);
  const [running, charging] = [runningMs, chargingMs].map((ms) => hoursText(ms / HOUR));
  await expect(course.locator('summary')).toHaveText(`Draaide ${running}, laadde ${charging}: in cijfers`);
  const [levels, periods] = [course.locator('table').nth(0), course.locator('table').nth(1)];
  await expect(levels.locator('tbody tr')).toHaveText(
    socSummary(stored, range).map(({ pack, begin, lowest, highest, end }) =>
      [`Accu ${pack}`, ...[begin, lowest, highest, end].map(formatPercent)].join(''),
    ),
  );
  const of = activityBands(stored, range);
  const both = (['charging', 'running'] as const).flatMap((kind) =>
    of[kind].map((band) => ({ kind, ...band })),
  );
  await expect(periods.locator('tbody tr')).toHaveText(
    both
      .sort((a, b) => a.from - b.from)
      .map(({ kind, from, to }) =>
        [statusLabel(kind), dateAndTime(from), dateAndTime(to), hoursAsClock((to - from) / HOUR)].join(''),
      ),
  );
}

/** Checks 'Draaiuren', and the mean power from which 'Resterende werktijd' is computed. */
async function checkFigures(page: Page, { stored }: RandomMachine): Promise<void> {
  const hours = formatDecimals(hourMeter(stored, 0).total, 1);
  await expect(panelRegion(page, 'Machine Info')).toContainText(`Draaiuren${hours}uur`);
  const tip = panelRegion(page, 'Batterij Status').getByRole('note', { includeHidden: true }).last();
  const last30 = { from: Date.now() - 30 * DAY, to: Date.now() };
  const power = computeWorkPower(stored, last30);
  if (power === null) return expect(tip).toContainText('heeft de laatste 30 dagen niet gedraaid');
  const share = computePowerShare(stored, last30) ?? 1;
  const known = share < 0.95 ? [`Bekend over ${formatPercent(share * 100)} van de draaitijd.`] : [];
  const days = powerOfDays(stored, last30)
    .filter((day) => day.hours > 0)
    .map((day) =>
      [
        dutchDate(day.day).slice(0, 5),
        hoursText(day.hours),
        day.power === null ? '--' : formatKilowatts(day.power),
      ].join(''),
    );
  await expect(tip.locator(':scope > span')).toHaveText([
    'De gegevens zijn te oud voor een schatting.',
    `Gemiddeld ${formatKilowatts(power)} over de draaitijd van de laatste 30 dagen:`,
    ...known,
    ...days.reverse(),
  ]);
}

/** Checks the newest values of the machine, which are stale. */
async function checkLive(page: Page, { accepted, packs }: RandomMachine): Promise<void> {
  const now = Date.now();
  const counted = withoutUnusedValues(accepted.map(({ reading }) => reading));
  const { signals, position } = liveStateOf(counted.map((reading) => ({ reading, received: now })))!;
  const values = socByPack(signals);
  const numbers = [...new Set([...packs, ...values.keys()])].sort((a, b) => a - b);
  await expect(panelRegion(page, 'Batterij Status').locator('ul').getByRole('listitem')).toHaveText(
    numbers.map((pack) => `Accu ${pack}${formatPercent(values.get(pack))}`),
  );
  const { ChargingCurrent = 0, MotorSpeed = 0 } = signals;
  const isFlagged = Object.entries(signals).some(
    ([name, value]) => name.startsWith('IsCharging') && value >= 1,
  );
  const charges = isFlagged && ChargingCurrent > 1;
  const status = charges ? 'charging' : MotorSpeed > 150 ? 'running' : 'off';
  // The newest reading is days old, so that the page shows that the machine is silent, and its last status.
  await expect(page.getByRole('status').filter({ hasText: /^Stil / })).toHaveText(
    `Stil (laatst ${statusLabel(status)})`,
  );
  const gps = panelRegion(page, 'GPS Tracking');
  for (const [name, degrees] of [
    ['Lat', position!.lat],
    ['Lon', position!.lon],
  ] as const)
    await expect(gps.locator('dl > div', { hasText: name }).first()).toHaveText(
      `${name}${formatCoordinate(degrees)}`,
    );
}

/** Checks the route: its number of points, and the values of some points. */
async function checkRoute(page: Page, { stored }: RandomMachine, range: Range): Promise<void> {
  await page.getByRole('switch', { name: 'Route On/Off' }).click();
  const points = pathPoints(stored, range);
  const slider = page.getByRole('slider', { name: 'Punt op de route' });
  await expect(slider).toHaveAttribute('max', String(points.length - 1));
  // Accepts a difference of 1 cm, which may change the rounded distance.
  const metres = metresOf(stored, range);
  const written = [metres - 0.01, metres, metres + 0.01].map((of) => `Afstand ${formatDistance(of)}, `);
  await expect(panelRegion(page, 'GPS Tracking')).toContainText(new RegExp(written.join('|')));
  const facts = panelRegion(page, 'GPS Tracking').locator('dl > div');
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const n = Math.round(part * (points.length - 1));
    const point = points[n]!;
    await slider.fill(String(n));
    await expect(facts).toHaveText([
      `Tijd${dateAndSecond(point.time)}`,
      `Snelheid${formatSpeed(point.speed)}`,
      `Laadniveau${formatPercent(point.mean)}`,
      `Lat${formatCoordinate(point.lat)}`,
      `Lon${formatCoordinate(point.lon)}`,
    ]);
  }
}

/** Checks the energy fed back on the default day of /test. */
async function checkFedBack(page: Page, { stored }: RandomMachine): Promise<void> {
  const { fedBack, knownShare } = computeDisplayedEnergies(stored, TEST_RANGE);
  await page.goto('/test');
  const answer = panelRegion(page, 'Teruggeleverd').getByRole('status');
  await expect(answer.locator('strong')).toHaveText(
    fedBack === null ? 'geen metingen' : formatKilowattHours(fedBack, 2),
  );
  const share = `bekend over ${formatPercent((knownShare ?? 1) * 100)} van de tijd met gegevens`;
  if ((knownShare ?? 1) < 0.95) await expect(answer).toContainText(share);
}

for (const [seed, size, startOf] of [
  [21, 200, recent],
  [22, 200, onTheDayOfTest],
] as const)
  test(`the page of random machine ${seed} shows the hours, energies, power, charge, route, distance and periods of the oracle (12.D1, 15.5l) @long`, async ({
    page,
    portal,
  }) => {
    const machine = randomMachine(seed, { size, wrongClocks: false, start: startOf() });
    const { packs, stored } = machine;
    const it = await createUserWithMachine(portal, { capacities: packs.map(() => 3) });
    // Uploads in sequence, because the portal recognizes a logger's stopped clock by comparing with earlier readings.
    for (const { file, signals } of machine.deliveries) await it.upload(file, signals);
    await signInByApi(page, it.email);
    const [first, last] = [stored[0]!.time, stored.at(-1)!.time];
    const show = ({ from, to }: Range) =>
      openMachine(
        page,
        it.serial,
        `?start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}`,
      );
    const all = { from: first, to: last + 1 };
    await show(all);
    await checkCourse(page, machine, all);
    await checkFigures(page, machine);
    await checkLive(page, machine);
    const at = (part: number): number => Math.round(first + part * (last - first));
    const cut = { from: at(0.3), to: at(0.8) };
    await show(cut);
    await checkCourse(page, machine, cut);
    await checkRoute(page, machine, cut);
    if (stored.some(({ time }) => isInRange(TEST_RANGE, time))) await checkFedBack(page, machine);
  });
