import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeTestReadings } from '#server/history/test/readings.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { columnAsSent, columnForFigures, type ReadingColumns } from './columns.ts';
import { readColumnPages, readColumns } from './read-columns.ts';
import { readEdgeReadings } from './read-edges.ts';
import { readSamples } from './read-samples.ts';

const START = Date.UTC(2026, 10, 2, 8);
const SECOND = 1_000;
let portal: TestPortal;
/** Ids of two streams. The readings of stream `early`, which was created later, are a day earlier than those of `late`. */
let late: number;
let early: number;

beforeAll(async () => {
  portal = await testPortal();
  const owner = await portal.organization('kolommen');
  late = await portal.machine(owner, { serial: 'K-1' });
  early = await portal.machine(owner, { serial: 'K-2' });
  const readings = (from: number, speed: number) =>
    Array.from({ length: 1_200 }, (_, n) => ({
      time: from + n * SECOND,
      signals: { ...(n % 2 === 0 && { Speed: speed + n }), Olie: n },
    }));
  await storeTestReadings(portal.pool, late, readings(START, 1_000));
  await storeTestReadings(portal.pool, early, readings(START - 86_400_000, 5_000));
});
afterAll(() => portal.close());

const SPEED = [columnForFigures('Speed')];
const ofDay = (streamId: number) => ({ streamId, from: START - 2 * 86_400_000, to: START + 86_400_000 });
const speedsIn = ({ values }: ReadingColumns) => [...(values[0] ?? [])];

test('readEdgeReadings returns the first or last values of each stream, whichever stream reported first (45.1)', async () => {
  const ranges = [late, early, late].map(ofDay);
  const first = await readEdgeReadings(portal.pool, ranges, SPEED, { end: 'first' });
  expect(first).toEqual([
    { time: START, values: [1_000] },
    { time: START - 86_400_000, values: [5_000] },
    { time: START, values: [1_000] },
  ]);
  const last = await readEdgeReadings(portal.pool, ranges.slice(0, 2), SPEED, { end: 'last' });
  expect(last.map((one) => one?.values)).toEqual([[2_198], [6_198]]);
  const none = { streamId: late, from: START + SECOND, to: START + 2 * SECOND };
  expect(await readEdgeReadings(portal.pool, [none, ofDay(early)], SPEED, { end: 'first' })).toEqual([
    undefined,
    { time: START - 86_400_000, values: [5_000] },
  ]);
});

test('readColumns, readColumnPages and readSamples return each reading once, in order of time, with NaN for a missing value (45.1)', async () => {
  const range = { from: START, to: START + 4 * SECOND };
  const [both] = await readColumns(
    portal.pool,
    late,
    [range],
    [columnForFigures('Speed'), columnAsSent('Olie')],
  );
  expect([...(both?.times ?? [])]).toEqual([0, 1, 2, 3].map((n) => START + n * SECOND));
  expect(both?.values.map((column) => [...column])).toEqual([
    [1_000, Number.NaN, 1_002, Number.NaN],
    [0, 1, 2, 3],
  ]);
  const [newest] = await readColumns(portal.pool, late, [range], SPEED, 2);
  expect(newest && speedsIn(newest)).toEqual([1_002, Number.NaN]);

  const times: number[] = [];
  for await (const page of readColumnPages(portal.pool, late, [ofDay(late)], [], 700))
    times.push(...page.times);
  expect(times).toEqual(Array.from({ length: 1_200 }, (_, n) => START + n * SECOND));

  const slots = [0, 600].map((n) => ({ from: START + n * SECOND, to: START + (n + 100) * SECOND }));
  const sample = await readSamples(portal.pool, late, slots, [columnAsSent('Olie')], { most: 2 });
  expect(speedsIn(sample)).toEqual([0, 1, 600, 601]);
});
