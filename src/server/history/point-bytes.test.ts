import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PathPoint } from '#shared/contract/history.ts';
import { jsonOfPoints } from './point-bytes.ts';

const FIRST = Date.UTC(2015, 0, 1);
const LAST = Date.UTC(2035, 0, 1);

/** Returns the bytes that the database sends (float8send). */
function bytesOf(points: readonly PathPoint[]): Buffer {
  const bytes = Buffer.alloc(points.length * 48);
  for (const [n, { lat, lon, time, speed, soc }] of points.entries()) {
    const values = [
      lat,
      lon,
      Date.parse(time),
      speed ?? Number.NaN,
      soc ?? Number.NaN,
      soc === undefined ? 0 : 2,
    ];
    for (const [place, value] of values.entries()) bytes.writeDoubleBE(value, n * 48 + place * 8);
  }
  return bytes;
}

const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyPoint = fc.record(
  {
    lat: anyNumber,
    lon: anyNumber,
    // Often in the same minute as the previous point.
    time: fc
      .oneof(fc.integer({ min: FIRST, max: LAST }), fc.integer({ min: FIRST, max: FIRST + 120_000 }))
      .map((ms) => new Date(ms).toISOString()),
    speed: anyNumber,
    soc: anyNumber,
  },
  { requiredKeys: ['lat', 'lon', 'time'] },
);

test('the text of points equals that of JSON.stringify (MDET-12)', () => {
  fc.assert(
    fc.property(fc.array(anyPoint), (points) => {
      expect(`[${jsonOfPoints(bytesOf(points), () => 2)}]`).toBe(JSON.stringify(points));
    }),
  );
});

test.each([
  ['2026-11-21T08:00:00.000Z', '2026-11-21T08:00:59.999Z'],
  ['2026-11-21T08:00:59.999Z', '2026-11-21T08:01:00.007Z'],
  ['2026-12-31T23:59:59.090Z', '2027-01-01T00:00:00.000Z'],
])('%s and %s keep their instants (MDET-12)', (...times) => {
  const points = times.map((time) => ({ lat: 52.1, lon: 5.1, time }));
  expect(JSON.parse(`[${jsonOfPoints(bytesOf(points), () => 2)}]`)).toEqual(points);
});

test('a point whose reading lacks a pack has no state of charge (MDET-12)', () => {
  const point = { lat: 52.1, lon: 5.1, time: '2026-11-21T08:00:00.000Z', soc: 80 };
  const { soc, ...without } = point;
  expect(JSON.parse(`[${jsonOfPoints(bytesOf([point]), () => 3)}]`)).toEqual([without]);
});
