import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnHistory } from '#server/streams/scope.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { bucketsOf, type Range } from '#shared/domain/intervals.ts';
import type { Reading } from '#shared/domain/signal.ts';
import { sumOfBuckets } from '#shared/domain/test/bucket-sums.ts';
import { operatingHours } from './operating-hours.ts';
import { powerBack } from './power-back.ts';
import { anyReadings, store } from './test/readings.ts';
import { type WorkPower, workPower } from './work-power.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 28, 22, 40); // before the night in which summer time begins in Amsterdam
const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function newStream(): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into stream (kind, serial, alias) select 'machine', 'S-' || count(*), 'x' from stream returning id`,
  );
  const id = rows[0]?.id as number;
  await database.pool.query('insert into latest (stream_id) values ($1)', [id]);
  return id;
}

/** The midnight in Amsterdam that this instant's day began with, found hour by hour. */
function midnightBefore(ms: number): number {
  let hour = Math.floor(ms / HOUR) * HOUR;
  while (amsterdamDay(hour - 1) === amsterdamDay(ms)) hour -= HOUR;
  return hour;
}

/** The slow way: every reading, by the plain rule, and the windows by hand. */
function slowly(readings: readonly Reading[], own: readonly Range[], range: Range, window: number) {
  const days = new Map<string, { ms: number; joules: number }>();
  let inJ = 0;
  for (const interval of own) {
    const inside = readings.filter(({ time }) => interval.from <= time && time < interval.to);
    const part = { from: Math.max(range.from, interval.from), to: Math.min(range.to, interval.to) };
    const buckets = bucketsOf(inside, part);
    inJ += sumOfBuckets(buckets.values()).inJ;
    const pieces = new Map<string, { day: string; ms: number; joules: number }>();
    for (const [start, bucket] of buckets) {
      const day = amsterdamDay(start);
      const key = `${day} ${Math.floor((start - midnightBefore(start)) / window)}`;
      const piece = pieces.get(key) ?? { day, ms: 0, joules: 0 };
      pieces.set(key, {
        day,
        ms: piece.ms + bucket.runningMs,
        joules: piece.joules + bucket.outJ - bucket.inJ,
      });
    }
    for (const { day, ms, joules } of pieces.values()) {
      if (ms === 0) continue;
      const sum = days.get(day) ?? { ms: 0, joules: 0 };
      days.set(day, { ms: sum.ms + ms, joules: sum.joules + joules });
    }
  }
  const sorted = [...days].sort(([a], [b]) => a.localeCompare(b));
  const all = sorted.reduce((sum, [, d]) => ({ ms: sum.ms + d.ms, joules: sum.joules + d.joules }), {
    ms: 0,
    joules: 0,
  });
  const work: WorkPower = {
    AvgPower: all.ms > 0 ? all.joules / all.ms : null,
    days: sorted.map(([date, { ms, joules }]) => ({ date, hours: ms / HOUR, AvgPower: joules / ms })),
  };
  return { work, kWh: inJ / 3_600_000 };
}

const story = anyReadings(START).chain((list) => {
  const last = (list.at(-1)?.time ?? START) + 600_000;
  const instant = fc.integer({ min: START - 600_000, max: last });
  const edges = fc.oneof(
    instant,
    instant.map((ms) => Math.floor(ms / 300_000) * 300_000),
  );
  return fc.record({
    list: fc.constant(list),
    arrival: fc.shuffledSubarray([...list, ...list.slice(0, 6)], {
      minLength: list.length + Math.min(6, list.length),
    }),
    size: fc.integer({ min: 1, max: 9 }),
    range: fc.tuple(edges, edges).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
    own: fc.oneof(
      fc.constant([ALWAYS]),
      fc.uniqueArray(edges, { minLength: 2, maxLength: 4 }).map((cuts) => {
        const [a = 0, b = 0, c, d] = cuts.sort((x, y) => x - y);
        return [{ from: a, to: b }, ...(c === undefined ? [] : [{ from: c, to: d ?? Infinity }])];
      }),
    ),
    window: fc.constantFrom(300_000, 420_000, HOUR, 5 * HOUR, 24 * HOUR),
  });
});

test('MDET-05 MDET-08 TEST-01 INGEST-06 hours, power and energy are those of the raw readings, in any order of arrival, cut anywhere', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ list, arrival, size, range, own, window }) => {
      const streamId = await newStream();
      await store(database.pool, streamId, arrival, size);
      const history: OwnHistory = { streamId, own };
      const expected = slowly(list, own, range, window);
      expect(await workPower(database.pool, history, range, window)).toEqual(expected.work);
      expect(await powerBack(database.pool, history, range)).toBe(expected.kWh);
      const { runningMs } = sumOfBuckets(bucketsOf(list).values());
      expect(await operatingHours(database.pool, history)).toBe(runningMs / HOUR);
    }),
    { numRuns: 60 },
  );
});

test('MDET-05 MDET-08 TEST-01 the same data again, in another order, changes nothing', async () => {
  const list = fc
    .sample(anyReadings(START), { numRuns: 8, seed: 5 })
    .flatMap((part, n) => part.map(({ time, signals }) => ({ time: time + n * 20 * HOUR, signals })));
  const streamId = await newStream();
  const history: OwnHistory = { streamId, own: [ALWAYS] };
  const range = { from: START, to: START + 400 * HOUR };
  const ask = async () => ({
    work: await workPower(database.pool, history, range, 5 * HOUR),
    kWh: await powerBack(database.pool, history, range),
    hours: await operatingHours(database.pool, history),
  });
  await store(database.pool, streamId, list);
  const before = await ask();
  await store(database.pool, streamId, [...list].reverse(), 7);
  expect(await ask()).toEqual(before);
  expect(before.work).toEqual(slowly(list, [ALWAYS], range, 5 * HOUR).work);
  expect(before.work.days.length).toBeGreaterThan(2);
});

test('INGEST-06 an interval over the edge of the ownership counts for nobody, also in a bucket that is whole', async () => {
  const streamId = await newStream();
  const cut = Date.UTC(2026, 4, 5, 12);
  // The other owner's reading, and 20 s after a bucket and the ownership began, one's own; and so at the end.
  const times = [cut - 10_000, cut + 20_000, cut + 60_000, cut + 1_780_000, cut + 1_790_000, cut + 1_810_000];
  const signals = { MotorSpeed: 900, BatteryCurrent: -36, BatteryVoltage: 1_000 };
  await store(
    database.pool,
    streamId,
    times.map((time) => ({ time, signals })),
  );
  const range = { from: cut - HOUR, to: cut + HOUR };
  const ask = async (own: Range) => [
    await powerBack(database.pool, { streamId, own: [own] }, range),
    (await workPower(database.pool, { streamId, own: [own] }, range, 300_000)).days[0]?.hours,
  ];
  // 36 kW: 40 s, and 10 s.
  expect(await ask({ from: cut, to: cut + 1_800_000 })).toEqual([0.5, 50 / 3_600]);
  expect(await ask(ALWAYS)).toEqual([1, 100 / 3_600]);
});

/** One reading every minute: running at 100 A from hour 6 to 8 of the clock in UTC, 10 A at night. */
const shift = (from: number, hours: number): Reading[] =>
  Array.from({ length: hours * 60 + 1 }, (_, minute) => {
    const time = from + minute * 60_000;
    const works = new Date(time).getUTCHours() >= 6 && new Date(time).getUTCHours() < 8;
    const signals = { MotorSpeed: works ? 900 : 0, BatteryCurrent: works ? 100 : 10, BatteryVoltage: 700 };
    return { time, signals };
  });

test('MDET-05 power by hand: windows that ran count whole, the others not at all', async () => {
  const streamId = await newStream();
  const from = Date.UTC(2026, 4, 4);
  await store(database.pool, streamId, shift(from, 24));
  const history: OwnHistory = { streamId, own: [ALWAYS] };
  const ask = async (window: number) =>
    (await workPower(database.pool, history, { from, to: from + 24 * HOUR }, window)).AvgPower;
  // Two hours at 70 kW; in windows of 5 hours (03:00 to 08:00 UTC, 05:00 to 10:00 in Amsterdam) three more at 7 kW.
  expect(await ask(300_000)).toBeCloseTo(70, 10);
  expect(await ask(5 * HOUR)).toBeCloseTo((2 * 70 + 3 * 7) / 2, 10);
  // 4 May in Amsterdam ends at 22:00 UTC: the window of a day is cut there.
  expect(await ask(24 * HOUR)).toBeCloseTo((2 * 70 + 20 * 7) / 2, 10);
});

test('MDET-05 the day on which summer time begins has 23 hours, and the days add up', async () => {
  const streamId = await newStream();
  const from = Date.UTC(2026, 2, 27, 23);
  const always = Array.from({ length: 72 * 60 }, (_, minute) => ({
    time: from + minute * 60_000,
    signals: { MotorSpeed: 900, BatteryCurrent: 20, BatteryVoltage: 500 },
  }));
  await store(database.pool, streamId, always);
  const range = { from, to: from + 71 * HOUR };
  const { AvgPower, days } = await workPower(database.pool, { streamId, own: [ALWAYS] }, range, 5 * HOUR);
  expect(days.map(({ date, hours }) => [date, hours])).toEqual([
    ['2026-03-28', 24],
    ['2026-03-29', 23],
    ['2026-03-30', 24],
  ]);
  expect(AvgPower).toBeCloseTo(10, 10);
});
