import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { moveStream } from '#server/streams/streams.store.ts';
import { SCRIPT_HEADERS } from '#server/test/by-script.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Transports } from '#shared/contract/history.ts';
import { DEFAULT_PRIVACY } from '#shared/domain/privacy.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { computeBuckets } from '#shared/domain/test/oracle/buckets.ts';
import { randomPositions } from '#shared/domain/test/oracle/random-positions.ts';
import { storeTestReadings } from './test/readings.ts';

const MINUTE = 60_000;
/** 08:00 in Amsterdam, a Wednesday. */
const START = Date.UTC(2026, 10, 18, 7);
const NOW = START + 12 * 60 * MINUTE;

let portal: TestPortal;
let own: number;
let cookies: { readonly beheerder: string; readonly kijker: string; readonly other: string };
beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  own = await portal.organization('klant');
  const other = await portal.organization('ander');
  await portal.user('b@klant.nl', own, 'beheerder');
  await portal.user('k@klant.nl', own, 'kijker');
  await portal.user('b@ander.nl', other, 'beheerder');
  cookies = {
    beheerder: await portal.login('b@klant.nl'),
    kijker: await portal.login('k@klant.nl'),
    other: await portal.login('b@ander.nl'),
  };
});
afterAll(() => portal.close());

/** Returns positions every 10 s along a meridian; a leg is minutes, km/h and motor speed. */
function drive(legs: readonly (readonly [minutes: number, speed: number, motor: number])[]): Reading[] {
  const readings: Reading[] = [];
  let [time, latitude] = [START, 51];
  for (const [minutes, speed, MotorSpeed] of legs)
    for (let n = 0; n < minutes * 6; n += 1) {
      readings.push({ time, signals: { LATITUDE: latitude, LONGITUDE: 5, MotorSpeed } });
      time += 10_000;
      latitude += speed / 360 / 111.195;
    }
  return readings;
}

let machines = 0;
async function machineWith(readings: readonly Reading[]): Promise<{ serial: string; streamId: number }> {
  machines += 1;
  const serial = `V-${machines}`;
  const streamId = await portal.machine(own, { serial });
  await storeTestReadings(portal.pool, streamId, readings);
  return { serial, streamId };
}
const iso = (ms: number): string => new Date(ms).toISOString();
const asked = (serial: string, from: number, to: number, as: string) =>
  portal.get(`/api/influx/transports/${serial}?start=${iso(from)}&end=${iso(to)}`, as);
const transports = async (
  serial: string,
  from = START,
  to = NOW,
  as = cookies.beheerder,
): Promise<Transports['transports']> => (await asked(serial, from, to, as)).json().transports;
/** Returns minutes after the start, and km. */
const brief = (found: Transports['transports']) =>
  found.map(({ from, to, metres }) => [
    ...[from, to].map((at) => Math.round((Date.parse(at) - START) / MINUTE)),
    Math.round(metres / 1000),
  ]);

/** A day of work, 60 km on a trailer with a pause of half an hour, work, and 20 km back. */
const DAY = drive([
  [60, 2, 900],
  [30, 60, 0],
  [30, 0, 0],
  [30, 60, 0],
  [45, 2, 900],
  [20, 60, 0],
  [30, 0, 0],
]);

test('the list of transports contains times and places of each, newest first (42.72)', async () => {
  const { serial } = await machineWith(DAY);
  const found = await transports(serial);
  expect(brief(found)).toEqual([
    [195, 215, 20],
    [60, 150, 60],
  ]);
  const [, first] = found;
  expect(first?.begin?.lat).toBeCloseTo(51 + 2 / 111.195, 2);
  expect(first?.end?.lat).toBeCloseTo(51 + 62 / 111.195, 2);
  // A transport that overlaps the range is returned whole, not cut to the range.
  expect(brief(await transports(serial, START + 100 * MINUTE, START + 110 * MINUTE))).toEqual([
    [60, 150, 60],
  ]);
  expect(await transports(serial, START + 155 * MINUTE, START + 190 * MINUTE)).toEqual([]);
});

test('transports are hidden from other organizations, and their places from people who may not see routes (42.72)', async () => {
  const { serial } = await machineWith(DAY);
  expect((await asked(serial, START, NOW, cookies.other)).statusCode).toBe(404);
  expect((await transports(serial, START, NOW, cookies.kijker))[0]?.begin).not.toBeNull();
  await portal.app.inject({
    ...{
      method: 'POST',
      url: '/api/organization/privacy',
      headers: { cookie: cookies.beheerder, ...SCRIPT_HEADERS },
    },
    payload: { name: 'klant', ...DEFAULT_PRIVACY, routesFrom: 'beheerder' },
  });
  await portal.untilNotified();
  await expect
    .poll(async () =>
      (await transports(serial, START, NOW, cookies.kijker)).map(({ begin, end }) => [begin, end]),
    )
    .toEqual([
      [null, null],
      [null, null],
    ]);
  const report = (kind: string, cookie: string) =>
    portal.get(`/api/report/${kind}?from=2026-11-18&to=2026-11-18&machines=["${serial}"]`, cookie);
  const { columns, rows } = (await report('vervoer', cookies.kijker)).json();
  expect(columns.map(({ title }: { title: string }) => title).slice(4)).toEqual([
    ...['Begin', 'Einde', 'Van', 'Van: breedtegraad', 'Van: lengtegraad'],
    ...['Naar', 'Naar: breedtegraad', 'Naar: lengtegraad', 'Vervoerd'],
  ]);
  expect(rows.map((row: unknown[]) => row.slice(6, 12))).toEqual([Array(6).fill(null), Array(6).fill(null)]);
  const seen = (await report('vervoer', cookies.beheerder)).json();
  expect(seen.rows).toHaveLength(2);
  expect(seen.rows[0][6]).toMatch(/[A-Z]/);
  expect(seen.totals.at(-1)).toBeCloseTo(80, -1);
});

test('a buyer sees the transports of a machine since the sale, and the seller the transports before the sale (42.72)', async () => {
  const { serial, streamId } = await machineWith(DAY);
  const { rows } = await portal.pool.query("select id from organization where name = 'ander'");
  await inTransaction(portal.pool, (client) =>
    moveStream(client, streamId, rows[0].id, new Date(START + 170 * MINUTE)),
  );
  expect(brief(await transports(serial, START, NOW, cookies.other))).toEqual([[195, 215, 20]]);
  const report = async (cookie: string) =>
    (await portal.get('/api/report/vervoer?from=2026-11-18&to=2026-11-18', cookie)).json().rows;
  expect(await report(cookies.other)).toHaveLength(1);
  const sold = (await report(cookies.beheerder)).filter((row: string[]) =>
    /^Overgedragen/.test(row[0] ?? ''),
  );
  expect(sold).toHaveLength(1);
});

/** Returns the mm of each transport, computed by joining the oracle's buckets with a carried distance that no pause separates. */
function oracleDistances(readings: readonly Reading[]): number[] {
  const buckets = computeBuckets(readings);
  const carried = [...buckets.keys()]
    .filter((start) => (buckets.get(start)?.carriedMm ?? 0) > 0)
    .sort((a, b) => a - b);
  const numbers = carried.map((start, n) => {
    if (n === 0) return 0;
    const since = Array.from(
      { length: (start - (carried[n - 1] as number)) / (5 * MINUTE) - 1 },
      (_, k) => start - (k + 1) * 5 * MINUTE,
    );
    return since.length > 12 || since.some((at) => (buckets.get(at)?.runningMs ?? 0) > 0) ? 1 : 0;
  });
  const distances: number[] = [];
  for (const [n, start] of carried.entries()) {
    if (n === 0 || numbers[n] === 1) distances.push(0);
    distances[distances.length - 1] = (distances.at(-1) ?? 0) + (buckets.get(start)?.carriedMm ?? 0);
  }
  return distances;
}

test('the transports of random machines equal those computed from the oracle’s buckets (42.72)', async () => {
  let count = 0;
  for (let seed = 1; seed <= 15; seed += 1) {
    const readings = randomPositions(seed).sort((a, b) => a.time - b.time);
    const { serial } = await machineWith(readings);
    const from = readings[0]?.time ?? 0;
    const found = await transports(serial, from, (readings.at(-1)?.time ?? 0) + 60 * MINUTE);
    const expected = oracleDistances(readings);
    expect([seed, ...found.map(({ metres }) => Math.round(metres * 1000)).reverse()]).toEqual([
      seed,
      ...expected,
    ]);
    count += expected.length;
  }
  expect(count).toBeGreaterThan(5);
});
