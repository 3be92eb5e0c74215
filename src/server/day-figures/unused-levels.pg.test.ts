import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import { countUnusedLevels } from './unused-levels.store.ts';

/** 10:00 in Amsterdam. */
const START = Date.UTC(2026, 10, 18, 9);
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const levels = (from: number, ...signals: readonly Signals[]): Reading[] =>
  signals.map((one, n) => ({ time: from + n * MINUTE_MS, signals: one }));

let portal: TestPortal;
let streamId: number;
let cookie: string;
beforeAll(async () => {
  portal = await testPortal({}, () => START + 2 * DAY_MS);
  const klant = await portal.organization('klant');
  await portal.user('b@klant.nl', klant, 'beheerder');
  cookie = await portal.login('b@klant.nl');
  streamId = await portal.machine(klant, { serial: 'L-1' });
  const position = { LATITUDE: 52, LONGITUDE: 5 };
  await storeTestReadings(
    portal.pool,
    streamId,
    [
      ...levels(
        START,
        { ...position, Soc1: 0, Soc2: 0 },
        { ...position, Soc1: 64, Soc2: 70 },
        { Soc1: 0, LATITUDE: 0.001, LONGITUDE: 0.001 },
        { Soc1: 64, Soc2: 70 },
      ),
      // Here the battery is really empty.
      ...levels(START + 3_600_000, { Soc1: 2 }, { Soc1: 0 }),
      ...levels(START + DAY_MS, { Soc1: 0 }, { Soc1: 64 }),
    ],
    1,
  );
});
afterAll(() => portal.close());

test.each([
  ['2026-11-18', 3],
  ['2026-11-19', 1],
  ['2026-11-20', 0],
])(
  'the answer says how many charge levels of 0 of a day the figures leave out: %s (52.5)',
  async (day, count) => {
    const answer = await portal.get(`/api/influx/unused-levels/L-1?day=${day}`, cookie);
    expect([answer.statusCode, answer.json()]).toEqual([200, { count }]);
  },
);

test("only charge levels of the time in which the caller's organization owned the machine are counted (52.5)", async () => {
  const day = { from: START - DAY_MS, to: START + DAY_MS };
  const from = START + MINUTE_MS;
  const own = [
    { from: Number.NEGATIVE_INFINITY, to: START },
    { from, to: Number.POSITIVE_INFINITY },
  ];
  expect(await countUnusedLevels(portal.pool, { streamId, own }, day)).toBe(1);
});

test.each(['2026-02-30', '2026-13-01', 'gisteren'])(
  'a day that does not exist is refused: %s (52.5)',
  async (day) => {
    expect((await portal.get(`/api/influx/unused-levels/L-1?day=${day}`, cookie)).statusCode).toBe(400);
  },
);
