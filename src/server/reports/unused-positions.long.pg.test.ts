import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeUntilUpToDate } from '#server/day-figures/test/until-computed.ts';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { removeOldPositions } from '#server/telemetry/old-positions.ts';
import { recomputeNextStream } from '#server/telemetry/recompute.ts';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';

/** 10:00 in Amsterdam. */
const START = Date.UTC(2026, 10, 18, 9);
const HOME = { LATITUDE: 52, LONGITUDE: 5 };
const AWAY = { LATITUDE: 53.8, LONGITUDE: 5 };
/**
 * The machine drives 10 km/h to the north with the motor running. Every 30th position is wrong: alternately it is 200 km away, is near
 * latitude and longitude 0, or comes from 3 satellites only.
 */
const WRONG: readonly Signals[] = [
  AWAY,
  { LATITUDE: 0.001, LONGITUDE: 0.001 },
  { ...HOME, NUMBER_SATELLITES: 3 },
];
const READINGS = Array.from({ length: 360 }, (_, n): Reading => {
  const wrong = n % 30 === 29 ? WRONG[((n - 29) / 30) % 3] : undefined;
  const here = { LATITUDE: 52 + n * 0.00025, LONGITUDE: 5 };
  return { time: START + n * 10_000, signals: { MotorSpeed: 900, ...(wrong ?? here) } };
});
/** Distance of the drive: 359 steps of 27.8 m. */
const METRES = 9_980;

let portal: TestPortal;
let streamId: number;
let cookie: string;
beforeAll(async () => {
  portal = await testPortal({}, () => START + 3_600_000);
  const klant = await portal.organization('klant');
  await portal.user('b@klant.nl', klant, 'beheerder');
  cookie = await portal.login('b@klant.nl');
  streamId = await portal.machine(klant, { serial: 'P-1' });
  await storeTestReadings(portal.pool, streamId, READINGS, 1);
  await computeUntilUpToDate(portal.pool, streamId);
});
afterAll(() => portal.close());

const get = async (url: string) => {
  const answer = await portal.get(url, cookie);
  expect(answer.statusCode).toBe(200);
  return answer;
};
const ROUTE = 'from=2026-11-18&to=2026-11-18&machines=["P-1"]';
const range = `start=${new Date(START).toISOString()}&end=${new Date(START + 3_600_000).toISOString()}`;
const dayOf = async () => (await get('/api/influx/days/P-1?month=2026-11')).json().days[0];

test('a wrong position, which the portal stores but does not use, is in no distance, route, day chart or live state (42.20)', async () => {
  const day = await dayOf();
  expect(day.distance).toBeGreaterThan(METRES * 0.98);
  expect(day.distance).toBeLessThan(METRES * 1.02);
  expect(day.carried).toBe(0);
  const points = (await get(`/api/influx/gps/P-1?${range}`)).json();
  expect(JSON.stringify(points)).not.toMatch(/53\.8|"latitude":0\./i);
  expect((await get(`/api/influx/day/P-1?${range}`)).json().distance).toBeCloseTo(day.distance, 3);
  // The last reading has a wrong position, so the live state has the position before it.
  const { liveData } = (await get('/api/live')).json()['P-1'];
  expect(liveData.LATITUDE).toBeCloseTo(52 + 358 * 0.00025, 6);
  expect(JSON.stringify(liveData)).not.toContain('Unused');
});

test('a wrong position is counted by day with its reason, and is in the report Route and its CSV, but not in its GPX (42.24)', async () => {
  expect((await dayOf()).unused).toEqual({ noFix: 4, nullIsland: 4, jumps: 4 });
  const report = (await get(`/api/report/route?${ROUTE}`)).json();
  const at = (key: string) => report.columns.findIndex((column: { key: string }) => column.key === key);
  const present = report.rows.map((row: unknown[]) => row[at('unused')]).filter((reason: string) => reason);
  expect(report.rows).toHaveLength(360);
  expect(present).toEqual(Array.from({ length: 4 }, () => ['sprong', 'bij 0,0', 'zonder fix']).flat());
  const csv = (await get(`/api/report/route/file?${ROUTE}&format=csv`)).body;
  expect(csv.match(/sprong/g)?.length).toBeGreaterThanOrEqual(4);
  const gpx = (await get(`/api/report/route/file?${ROUTE}&format=gpx`)).body;
  expect(gpx.match(/<trkpt/g)).toHaveLength(348);
  const dagstaten = (await get(`/api/report/dagstaten?from=2026-11-18&to=2026-11-18`)).json();
  const row = Object.fromEntries(
    dagstaten.columns.map(({ key }: { key: string }, n: number) => [key, dagstaten.rows[0][n]]),
  );
  expect([row.unused, row.carried, row.driven]).toEqual([12, 0, row.distance]);
});

test('a wrong position, which the portal stores under another name, is not listed as a custom signal of the logger (42.24)', async () => {
  expect((await get('/api/influx/signals/P-1?start=-30d')).body).not.toContain('Unused');
});

test('old wrong positions are deleted like other old positions, and the distance of the day stays, also after a recomputation (42.21)', async () => {
  const before = await dayOf();
  await portal.pool.query(
    `update organization set privacy = privacy || '{"positionDays": 1}' where name = 'klant'`,
  );
  // The age of positions is measured by the database's clock, so the readings are old enough.
  await removeOldPositions(portal.pool);
  const rows = await storedRows(portal.pool, streamId, ['latitude', 'rest']);
  expect(rows).toHaveLength(360);
  expect(
    rows.filter(({ latitude, rest }) => latitude !== null || /Unused\.L/.test(JSON.stringify(rest))),
  ).toEqual([]);
  await portal.pool.query(`update latest set recompute_from = '-infinity' where stream_id = $1`, [streamId]);
  while (await recomputeNextStream(portal.pool));
  await computeUntilUpToDate(portal.pool, streamId);
  expect((await dayOf()).distance).toBeCloseTo(before.distance, 3);
});
