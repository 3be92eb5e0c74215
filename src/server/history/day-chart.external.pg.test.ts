import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/platform/database.ts';
import { IS_TEST_OF_CLOSED_WEEKS } from '#server/test/closed.ts';
import { CITUS_CONNECTION } from '#server/test/cluster.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { DayChart } from '#shared/contract/history.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { dayChart } from './day-chart.ts';
import { storeTestReadings } from './test/readings.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const NOON = Date.UTC(2026, 10, 18, 12);

let portal: TestPortal;
let cookie: string;
let own: number;

beforeAll(async () => {
  portal = await testPortal({}, () => NOW);
  own = await portal.organization('klant');
  await portal.user('a@klant.nl', own);
  cookie = await portal.login('a@klant.nl');
});
afterAll(() => portal.close());

let machines = 0;
async function machineWith(readings: readonly Reading[]): Promise<string> {
  machines += 1;
  const serial = `D-${machines}`;
  await storeTestReadings(portal.pool, await portal.machine(own, { serial }), readings);
  return serial;
}
const day = async (serial: string, from: number, to: number, points = 600): Promise<DayChart> =>
  (
    await portal.get(
      `/api/influx/day/${serial}?start=${new Date(from).toISOString()}&end=${new Date(to).toISOString()}&points=${points}`,
      cookie,
    )
  ).json();
const at = (minute: number, signals: Record<string, number>): Reading => ({
  time: NOON + minute * MINUTE,
  signals,
});
const ON = { MotorSpeed: 900 };
const OFF = { MotorSpeed: 0 };
const CHARGES = { IsCharging1: 1, ChargingCurrent: 40, MotorSpeed: 900 };

test.each<[string, Reading[], [string, number, number][]]>([
  ['until the next reading', [at(0, ON), at(1, ON), at(2, OFF)], [['running', 0, 2]]],
  ['exactly 5 minutes is no gap', [at(0, ON), at(5, OFF)], [['running', 0, 5]]],
  [
    'longer is one: it ends at the reading before',
    [at(0, ON), at(1, ON), at(6.001, ON), at(7, OFF)],
    [
      ['running', 0, 1],
      ['running', 6.001, 7],
    ],
  ],
  ['a last reading has none', [at(0, ON)], []],
  ['the last reading of the day ends it', [at(0, ON), at(3, ON)], [['running', 0, 3]]],
  ['150 rpm is not running', [at(0, { MotorSpeed: 150 }), at(1, OFF)], []],
  [
    'charging and running at once',
    [at(0, CHARGES), at(2, { ...ON, ChargingCurrent: 0 }), at(3, OFF)],
    [
      ['charging', 0, 2],
      ['running', 0, 3],
    ],
  ],
  ['1 A is not charging', [at(0, { IsCharging1: 1, ChargingCurrent: 1 }), at(1, OFF)], []],
  [
    'from before the range until after it',
    [at(-3, ON), at(1, ON), at(58, ON), at(62, ON), at(65, OFF)],
    [
      ['running', 0, 1],
      ['running', 58, 60],
    ],
  ],
])(
  'a day chart has the right bands of running and charging: %s (MDET-12)',
  async (_name, readings, bands) => {
    const serial = await machineWith(readings);
    const chart = await day(serial, NOON, NOON + 60 * MINUTE);
    expect(
      chart.bands.map(({ kind, from, to }) => [
        kind,
        (from * 1000 - NOON) / MINUTE,
        (to * 1000 - NOON) / MINUTE,
      ]),
    ).toEqual(bands);
  },
);

test('the state of charge per battery has the lowest, mean and highest value of each bucket with readings (MDET-12)', async () => {
  const serial = await machineWith([
    at(0, { Soc1: 80, Soc2: 70.5 }),
    at(1, { Soc1: 79, Soc2: 70 }),
    at(4, { Soc1: 78 }),
    at(5, { Soc1: 77 }),
    at(20, { Speed: 1 }),
    at(20.1, { Soc2: 60 }),
  ]);
  const chart = await day(serial, NOON, NOON + 24 * 60 * MINUTE, 288);
  expect(chart).toEqual({
    bucketSeconds: 300,
    time: [0, 5, 20].map((minute) => (NOON + minute * MINUTE) / 1000),
    packs: [
      {
        name: 'Soc1',
        min: [78, 77, null],
        mean: [79, 77, null],
        max: [80, 77, null],
        first: 80,
        firstTime: NOON / 1000,
        last: 77,
        lastTime: (NOON + 5 * MINUTE) / 1000,
      },
      {
        name: 'Soc2',
        min: [70, null, 60],
        mean: [70.25, null, 60],
        max: [70.5, null, 60],
        first: 70.5,
        firstTime: NOON / 1000,
        last: 60,
        lastTime: (NOON + 20.1 * MINUTE) / 1000,
      },
    ],
    bands: [],
    // Readings were received from minute 0 to 5, and for six seconds of minute 20.
    seconds: { running: 0, charging: 0, off: 306, unknown: 86_400 - 306 },
    distance: 0,
    carried: 0,
    lastDay: '2026-11-18',
  });
});

// Counts the rows that a statement reads; only the plan of a single server with readings in a table shows them.
test.skipIf(CITUS_CONNECTION || IS_TEST_OF_CLOSED_WEEKS)(
  'the first and the last value of a battery are looked up without reading the values between them (MDET-12, 17.6)',
  async () => {
    const streamId = await portal.machine(own, { serial: 'D-ends' });
    const soc = { Soc1: 80, Soc2: 70 };
    await storeTestReadings(
      portal.pool,
      streamId,
      Array.from({ length: 3_000 }, (_, n) => ({ time: NOON + n * 10_000, signals: soc })),
    );
    const read: number[] = [];
    const counting: Database = {
      async query(asked: string | object, values?: unknown[]) {
        if (typeof asked === 'string' && /\.reading r\b[\s\S]*limit 1\b/.test(asked)) {
          const { rows } = await portal.pool.query(`explain (analyze, format json) ${asked}`, values);
          read.push(readingsOf(rows[0]['QUERY PLAN'][0].Plan));
        }
        return portal.pool.query(asked as string, values);
      },
    } as Database;
    const range = { from: NOON, to: NOON + 30_000_000 };
    const { packs } = await dayChart(counting, { streamId, own: [ALWAYS] }, range, 600);
    expect(packs).toMatchObject([
      { first: 80, last: 80 },
      { first: 70, last: 70 },
    ]);
    // Five look-ups, of one row each: the first and the last value of two batteries, and the last day.
    expect(read).toEqual([1, 1, 1, 1, 1]);
  },
);

type Plan = { 'Relation Name'?: string; 'Actual Rows': number; Plans?: Plan[] };
/** Returns the number of rows of `reading` that a plan reads. */
const readingsOf = ({ Plans = [], ...plan }: Plan): number =>
  (plan['Relation Name']?.startsWith('reading') ? plan['Actual Rows'] : 0) +
  Plans.reduce((sum, inner) => sum + readingsOf(inner), 0);

test('the day chart of an empty range gives the last day in Amsterdam with data before the range (MDET-12)', async () => {
  const serial = await machineWith([{ time: Date.UTC(2026, 9, 1, 22, 30), signals: ON }, at(0, ON)]);
  expect((await day(serial, NOON - 3_600_000, NOON)).lastDay).toBe('2026-10-02');
  expect((await day(serial, NOON - 3_600_000, NOON + 1)).lastDay).toBe('2026-11-18');
  expect((await day(serial, NOON + 24 * 60 * MINUTE, NOW)).lastDay).toBe('2026-11-18');
  expect((await day(serial, NOON - 60 * 86_400_000, NOON - 50 * 86_400_000)).lastDay).toBeNull();
});

test('a machine that starts and stops at every reading gives one running band per bucket of five minutes (MDET-12)', async () => {
  const flapping = Array.from({ length: 12_000 }, (_, n) => ({
    time: NOON + n * 10_000,
    signals: { MotorSpeed: n % 2 === 0 ? 900 : 0 },
  }));
  const { bands, seconds } = await day(await machineWith(flapping), NOON, NOON + 120_000_000, 600);
  expect(seconds.running).toBe(60_000);
  // One band per bucket of 5 minutes, as long as half of the bucket.
  expect(bands).toHaveLength(400);
  expect(bands[1]).toEqual({ kind: 'running', from: NOON / 1000 + 300, to: NOON / 1000 + 450 });
});
