import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { computeDays } from '#server/day-figures/compute-days.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { createStream, moveStream } from '#server/streams/streams.store.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { SUM_NAMES } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { daySums } from './range-sums.ts';
import { arbitraryReadings, storeTestReadings } from './test/readings.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 22:30 in Amsterdam, on the Friday before the Sunday on which summer time begins. */
const START = Date.UTC(2026, 2, 27, 21, 30);
const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
/** The time of charging while full is not stored by day. */
const NAMES = SUM_NAMES.filter((name) => name !== 'fullMs');

let database: TestDatabase;
let owners: number[];
beforeAll(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organization (name, clean, code) values ('een', 'Een', '1'), ('twee', 'Twee', '2') returning id`,
  );
  owners = rows.map(({ id }) => id);
});
afterAll(() => database.drop());

let streams = 0;
const newStream = () => {
  streams += 1;
  return createStream(database.pool, 'machine', {
    serial: `S-${streams}`,
    alias: 'x',
    organizationId: owners[0] as number,
  });
};
const countAll = async (streamId: number) => {
  while (await computeDays(database.pool, streamId));
};

/** Returns the sums as computed from the roll-up: precomputed days have no fullMs, so a request that includes it does not use them. */
async function rolled(history: OwnHistory, range: Range) {
  const days = await daySums(database.pool, history, range, SUM_NAMES);
  return new Map([...days].map(([day, { fullMs: _, ...sums }]) => [day, sums]));
}
const counted = (history: OwnHistory, range: Range) => daySums(database.pool, history, range, NAMES);

test('precomputed days equal the sums of the roll-up, whatever readings arrive later and in whatever order (17.6, MDET-05, TEST-01)', async () => {
  const moment = fc.integer({ min: -DAY, max: 6 * DAY }).map((ms) => START + ms);
  const between = fc
    .tuple(moment, moment)
    .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }));
  const cases = fc.record({
    readings: arbitraryReadings(START, 11 * HOUR),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    counts: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    ranges: fc.array(between, { minLength: 2, maxLength: 2 }),
    // The machine is sold to another owner and back, before the second part of its readings arrives.
    sold: fc.oneof(
      fc.constant([]),
      moment.map((at) => [at]),
      fc.tuple(moment, fc.constantFrom(1, 3 * MINUTE, DAY, 3 * DAY)).map(([at, later]) => [at, at + later]),
    ),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ readings, order, counts, ranges, sold }) => {
      const streamId = await newStream();
      const [first = ALWAYS.to, second = ALWAYS.to] = sold;
      const before = [{ from: ALWAYS.from, to: first }];
      const owns = [
        sold.length === 2 ? [...before, { from: second, to: ALWAYS.to }] : before,
        sold.length > 0 ? [{ from: first, to: second }] : [],
      ];
      for (const [n, part] of order.entries()) {
        await storeTestReadings(
          database.pool,
          streamId,
          readings.filter((_, m) => m % 3 === part),
        );
        if (counts[n]) await countAll(streamId);
        for (const [m, at] of n === 0 ? sold.entries() : [])
          await moveStream(database.pool, streamId, owners[1 - m] as number, new Date(at));
        for (const own of owns)
          for (const range of [{ from: START - DAY, to: START + 20 * DAY }, ...ranges]) {
            const history = { streamId, own };
            expect(await counted(history, range)).toEqual(await rolled(history, range));
          }
      }
    }),
    { numRuns: 25 },
  );
});

test('a precomputed day is used when it is whole, unchanged, and contains all requested sums (17.6)', async () => {
  const streamId = await newStream();
  const history = { streamId, own: [ALWAYS] };
  const range = { from: START, to: START + 5 * DAY };
  const at = (time: number) => ({ time, signals: { BatteryCurrent: -10, MotorSpeed: 900 } });
  await storeTestReadings(
    database.pool,
    streamId,
    Array.from({ length: 5 * 24 * 6 }, (_, n) => at(START + n * 10 * MINUTE)),
  );
  await countAll(streamId);
  const change = (sql: string, condition = 'true') =>
    shardForStream(database.pool, streamId).query(
      `update telemetry.${sql} where stream_id = $1 and ${condition}`,
      [streamId],
    );
  await change('day_figures set count = count + 1');
  /** Returns the days that are read as precomputed: those with the higher count that the test stored above. */
  const taken = async (asked = range, own: Range[] = [ALWAYS], names = NAMES) => {
    const days = await daySums(database.pool, { streamId, own }, asked, names);
    const theirs = await rolled(history, range);
    return [...days].flatMap(([day, { count }]) =>
      count > (theirs.get(day)?.count ?? 0) ? [day.slice(8)] : [],
    );
  };
  expect(await taken()).toEqual(['28', '29', '30', '31']);
  expect(await taken({ from: START + 3 * HOUR, to: range.to - 26 * HOUR })).toEqual(['29', '30']);
  // The machine was sold in the middle of 30 March.
  expect(await taken(range, [{ from: START, to: START + 3 * DAY - 10 * HOUR }])).toEqual(['28', '29']);

  expect(await taken(range, [ALWAYS], ['count', 'inMj'])).toEqual(['28', '29', '30', '31']);
  const names: (typeof NAMES)[number][] = ['count', 'inMj'];
  const takenOf = () => taken(range, [ALWAYS], names);

  // A reading five minutes after midnight also changes the day before, because its interval may begin on that day.
  const midnight = Date.UTC(2026, 2, 30, 22);
  await storeTestReadings(database.pool, streamId, [at(midnight + 5 * MINUTE)]);
  expect(await takenOf()).toEqual(['28', '29']);
  await change('latest set recompute_from = to_timestamp(0)');
  expect(await takenOf()).toEqual([]);
  await change('latest set recompute_from = null');
  await countAll(streamId);
  await change('day_figures set count = count + 1');
  expect(await takenOf()).toEqual(['28', '29', '30', '31']);
  // A reading after the stored days changes none of these days.
  await storeTestReadings(database.pool, streamId, [at(range.to + DAY)]);
  expect(await takenOf()).toEqual(['28', '29', '30', '31']);
  // Two rows for one day mean that the machine had two owners on that day.
  await change(`day_figures set day = '2026-03-30', organization_id = 0`, `day = '2026-03-31'`);
  expect(await takenOf()).toEqual([]);
});
