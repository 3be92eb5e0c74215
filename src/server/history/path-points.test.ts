import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadingColumns } from '#server/telemetry/readings/columns.ts';
import type { PathPoint } from '#shared/contract/history.ts';
import { jsonOfPoints, type PackCountAt, pathPointOf } from './path-points.ts';

const FIRST = Date.UTC(2015, 0, 1);
const LAST = Date.UTC(2035, 0, 1);

type Point = {
  readonly lat: number;
  readonly lon: number;
  readonly time: number;
  readonly speed: number | null;
  readonly packs: readonly (number | null)[];
};

/** Returns the columns of readings with two packs. */
function columnsOf(points: readonly Point[]): ReadingColumns {
  const column = (valueAt: (point: Point) => number | null | undefined) =>
    Float64Array.from(points, (point) => valueAt(point) ?? Number.NaN);
  const packs = [0, 1, 2, 3, 4, 5, 6, 7].map((pack) => column((point) => point.packs[pack]));
  return {
    times: column(({ time }) => time),
    values: [column(({ lat }) => lat), column(({ lon }) => lon), column(({ speed }) => speed), ...packs],
  };
}

const jsonTextOf = (columns: ReadingColumns, packsAt: PackCountAt): string =>
  jsonOfPoints(columns, packsAt).toString('latin1');

const expectedOf = ({ lat, lon, time, speed, packs: [first, second] }: Point): PathPoint => ({
  lat,
  lon,
  time: new Date(time).toISOString(),
  ...(speed != null && { speed }),
  ...(first != null && second != null && { soc: (first + second) / 2 }),
});

const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyPoint: fc.Arbitrary<Point> = fc.record({
  lat: anyNumber,
  lon: anyNumber,
  // A point is often in the same minute as the point before it.
  time: fc.oneof(fc.integer({ min: FIRST, max: LAST }), fc.integer({ min: FIRST, max: FIRST + 120_000 })),
  speed: fc.option(anyNumber),
  packs: fc.array(fc.option(fc.integer({ min: 0, max: 100 })), { minLength: 2, maxLength: 2 }),
});

test('the JSON of the points of a path equals that of JSON.stringify (MDET-12)', () => {
  fc.assert(
    fc.property(fc.array(anyPoint), (points) => {
      expect(`[${jsonTextOf(columnsOf(points), () => 2)}]`).toBe(JSON.stringify(points.map(expectedOf)));
    }),
  );
});

test('a point of a path that is formatted alone equals the same point in the JSON of the whole path (MDET-12)', () => {
  fc.assert(
    fc.property(anyPoint, (point) => {
      const columns = columnsOf([point]);
      const reading = { time: point.time, values: columns.values.map(([value]) => value as number) };
      expect(JSON.stringify(pathPointOf(reading, () => 2))).toBe(jsonTextOf(columns, () => 2));
    }),
  );
});

test.each([
  ['2026-11-21T08:00:00.000Z', '2026-11-21T08:00:59.999Z'],
  ['2026-11-21T08:00:59.999Z', '2026-11-21T08:01:00.007Z'],
  ['2026-12-31T23:59:59.090Z', '2027-01-01T00:00:00.000Z'],
])('the points at %s and %s keep their times in the JSON (MDET-12)', (...times) => {
  const points = times.map((time) => ({
    lat: 52.1,
    lon: 5.1,
    time: Date.parse(time),
    speed: null,
    packs: [],
  }));
  expect(JSON.parse(`[${jsonTextOf(columnsOf(points), () => 2)}]`)).toEqual(
    times.map((time) => ({ lat: 52.1, lon: 5.1, time })),
  );
});

test('a point whose reading lacks a pack has no state of charge (MDET-12)', () => {
  const columns = columnsOf([{ lat: 52.1, lon: 5.1, time: FIRST, speed: null, packs: [80, 81] }]);
  const [without] = JSON.parse(`[${jsonTextOf(columns, () => 3)}]`);
  expect(without).toEqual({ lat: 52.1, lon: 5.1, time: '2015-01-01T00:00:00.000Z' });
});

test('a reading without a position gives no point (MDET-14)', () => {
  const columns = columnsOf([
    { lat: Number.NaN, lon: Number.NaN, time: FIRST, speed: 3, packs: [] },
    { lat: 52, lon: 5, time: FIRST, speed: null, packs: [] },
  ]);
  expect(JSON.parse(`[${jsonTextOf(columns, () => 0)}]`)).toHaveLength(1);
});
