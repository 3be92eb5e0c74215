import { get, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { PathPoint } from '#shared/contract/history.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { MAX_PATH_POINTS_ON_SCREEN, screenPath } from './screen-path.ts';
import { storeTestReadings } from './test/readings.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;
const COUNT = 26_000;
const STEP = 90_000;
const START = NOW - COUNT * STEP;

let portal: TestPortal;
let cookie: string;
let long: number;

/** 27 days: the machine drives on even days and stands still on odd ones; every tenth reading has no position. */
const journey: Reading[] = Array.from({ length: COUNT }, (_, n) => {
  const time = START + n * STEP;
  const day = Math.floor((n * STEP) / DAY);
  const driven = Math.floor(day / 2) + (day % 2 === 0 ? ((n * STEP) % DAY) / DAY : 1);
  const position = { LATITUDE: 52 + driven / 10, LONGITUDE: 5 + Math.sin(driven * 20) / 50 };
  return {
    time,
    signals: { ...(n % 10 === 5 ? { LATITUDE: 0, LONGITUDE: 0 } : position), Soc1: 50, Speed: n % 7 },
  };
});

beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  const own = await portal.organization('klant');
  await portal.user('a@klant.nl', own);
  cookie = await portal.login('a@klant.nl');
  long = await portal.machine(own, { serial: 'P-1' });
  await storeTestReadings(portal.pool, long, journey, 2_000);
});
afterAll(() => portal.close());

const path = async (query: string): Promise<PathPoint[]> =>
  (await portal.get(`/api/influx/gps/P-1?${query}`, cookie)).json();

test('the full path contains every reading with a position once, on all pages (MDET-12, MDET-14)', async () => {
  const answer = await portal.get('/api/influx/gps/P-1?start=-40d&resolution=full', cookie);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const expected = journey
    .filter((_reading, n) => n % 10 !== 5)
    .map(({ time, signals }) => ({
      lat: signals.LATITUDE,
      lon: signals.LONGITUDE,
      time: new Date(time).toISOString(),
      speed: signals.Speed,
      soc: 50,
    }));
  expect(answer.json()).toEqual(expected);
});

test('a path of a month at screen resolution has at most 2,000 points, with the first and last one of the range, and is the same every time (MDET-12)', async () => {
  const points = await path('start=-40d');
  expect(points.length).toBeGreaterThan(MAX_PATH_POINTS_ON_SCREEN / 2);
  expect(points.length).toBeLessThanOrEqual(MAX_PATH_POINTS_ON_SCREEN);
  expect(points[0]?.time).toBe(new Date(START).toISOString());
  expect(points.at(-1)?.time).toBe(new Date(journey.at(-1)?.time as number).toISOString());
  const times = points.map(({ time }) => Date.parse(time));
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(points.every(({ lat, lon }) => lat !== 0 && lon !== 0)).toBe(true);
  expect(await path('start=-40d')).toEqual(points);
  // There are far more points on driving days than on the others.
  const driving = times.filter((time) => Math.floor((time - START) / DAY) % 2 === 0).length;
  expect(driving / times.length).toBeGreaterThan(0.6);
  // Each day without driving has a point near both of its ends.
  for (let day = 1; day < 27; day += 2) {
    for (const end of [START + day * DAY, START + (day + 1) * DAY]) {
      const nearest = Math.min(...times.map((time) => Math.abs(time - end)));
      expect(nearest, `day ${day}`).toBeLessThan(DAY / 24);
    }
  }
});

test('thinning the path of a month drops no part of the road (MDET-12)', async () => {
  const points = (await path('start=-40d')).map(({ lat, time }) => ({ lat, ms: Date.parse(time) }));
  let next = 1;
  let worst = 0;
  for (const { time, signals } of journey.filter((_reading, n) => n % 10 !== 5)) {
    while ((points[next]?.ms as number) < time) next += 1;
    const [a, b] = [points[next - 1]?.lat as number, points[next]?.lat as number];
    const lat = signals.LATITUDE as number;
    worst = Math.max(worst, Math.min(a, b) - lat, lat - Math.max(a, b));
  }
  // The machine only goes north, so every reading lies on the line drawn at its time.
  expect(worst).toBeLessThan(1e-9);
});

test('a path of up to 20,000 readings keeps the shape of all of them (MDET-12)', async () => {
  const points = await path(
    `start=${new Date(START).toISOString()}&end=${new Date(START + 15 * DAY).toISOString()}`,
  );
  expect(points).toHaveLength(MAX_PATH_POINTS_ON_SCREEN);
});

test('the portal stops reading a path when the client disconnects, and reads no path for HEAD (MDET-12, API-03)', async () => {
  const asked: string[] = [];
  const { pages } = portal.portal.pools;
  const query = pages.query.bind(pages);
  pages.query = ((...args: Parameters<typeof query>) => {
    const [first] = args as unknown[];
    if (JSON.stringify(first).includes('limit 2000')) asked.push('page');
    return query(...args);
  }) as typeof pages.query;
  try {
    const url = `${portal.address}/api/influx/gps/P-1?start=-40d&resolution=full`;
    await new Promise<void>((resolve, reject) => {
      const sent = get(url, { headers: { cookie } }, (response) => {
        response.once('data', () => {
          response.destroy();
          sent.destroy();
          resolve();
        });
      });
      sent.once('error', reject);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    // The path has thirteen pages. The portal read only the pages that fit into the socket's buffers, and one page more.
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(8);
    const left = asked.length;
    const head = await new Promise<number | undefined>((resolve, reject) => {
      request(url, { method: 'HEAD', headers: { cookie } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .once('error', reject)
        .end();
    });
    expect(head).toBe(200);
    expect(asked.length - left).toBeLessThanOrEqual(2);
  } finally {
    pages.query = query;
  }
});

test('a path over a short and a long period of ownership contains every position of both (MDET-12, 12.A1)', async () => {
  const streamId = await portal.machine(await portal.organization('verhuur'), { serial: 'P-2' });
  const times = [0, 100, 200, 300, 400].map((ms) => START + ms);
  await storeTestReadings(
    portal.pool,
    streamId,
    times.map((time, n) => ({ time, signals: { LATITUDE: 52 + n / 1_000_000, LONGITUDE: 5 } })),
  );
  const own = [
    { from: START, to: START + 1_000 },
    { from: START + DAY, to: NOW },
  ];
  const points = await screenPath(portal.pool, { streamId, own }, { from: START, to: NOW });
  expect(points.map(({ time }) => Date.parse(time))).toEqual(times);
});

test('a path of millions of readings has the first position of each window of 30 s, and the first and last position of the range (45.N1)', async () => {
  const organization = await portal.organization('spoor');
  const streamId = await portal.machine(organization, { serial: 'P-3' });
  // 50 minutes at 10 Hz; one in three readings has a position, and the first and last one have none.
  const readings = Array.from({ length: 30_000 }, (_, n): Reading => {
    const position = n % 3 === 1 ? { LATITUDE: 52 + n / 1e6, LONGITUDE: 5 + Math.sin(n / 900) / 100 } : {};
    return { time: START + 10_000 + n * 100, signals: { Machinestatus: 1, ...position } };
  });
  await storeTestReadings(portal.pool, streamId, readings, 1_500);
  const history = { streamId, own: [{ from: START, to: NOW }] };
  const path = (many?: number) =>
    screenPath(portal.pool, history, { from: START, to: NOW }, MAX_PATH_POINTS_ON_SCREEN, many);
  const located = readings.filter(({ signals }) => signals.LATITUDE !== undefined);
  const firsts = Map.groupBy(located, ({ time }) => Math.floor(time / 30_000));
  const ends = [located[0], located.at(-1)];
  // The first and last window extend beyond the readings but lie inside the range, so their first positions count too.
  const expected = [...new Set([...[...firsts.values()].map(([first]) => first), ...ends])]
    .map((reading) => reading?.time as number)
    .sort((a, b) => a - b);
  expect((await path(20_000)).map(({ time }) => Date.parse(time))).toEqual(expected);
  expect((await path()).length).toBeGreaterThan(1_500);
});
