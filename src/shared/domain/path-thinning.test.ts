import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceMetres } from './distance.ts';
import { stopsOf, type TimedPosition, thinPath } from './path-thinning.ts';

const METRE = 1 / 111_194.93; // degrees of latitude
const MINUTE = 60_000;
/** Points `metres` north of 52 degrees, one per `stepMs`. */
const along = (metres: readonly number[], stepMs = 10_000): TimedPosition[] =>
  metres.map((north, n) => ({ lat: 52 + north * METRE, lon: 5, ms: n * stepMs }));

test('thinPath returns a path with at most the allowed number of points unchanged (MDET-12)', () => {
  const points = along([0, 0, 5, 5]);
  expect(thinPath(points, 4)).toBe(points);
  expect(thinPath([], 2)).toEqual([]);
});

test('a thinned drive out and back along one road keeps its farthest point (MDET-12)', () => {
  const points = along([
    ...Array.from({ length: 500 }, (_, n) => n * 10),
    ...Array.from({ length: 500 }, (_, n) => 5_000 - n * 10),
  ]);
  const thin = thinPath(points, 5);
  expect(thin).toContain(points[500]);
  expect([thin[0], thin.at(-1)]).toEqual([points[0], points.at(-1)]);
});

test('thinPath keeps a single position beside a straight road and drops points on the road (MDET-12)', () => {
  const points = along(Array.from({ length: 1_000 }, (_, n) => n * 8)).map((point, n) =>
    n === 613 ? { ...point, lon: 5.01 } : point,
  );
  expect(thinPath(points, 5).map(({ ms }) => ms / 10_000)).toEqual([0, 612, 613, 614, 999]);
});

test('thinPath keeps the first and last point of each stop, of the longest stops first (MDET-12)', () => {
  // Drives 1 km, stands 5 minutes, drives 1 km, stands 10 minutes, drives 1 km.
  const drive = (from: number) => Array.from({ length: 100 }, (_, n) => from + n * 10);
  const stand = (at: number, minutes: number) => Array.from({ length: minutes * 6 }, (_, n) => at + (n % 2));
  const points = along([
    ...drive(0),
    ...stand(1_000, 5),
    ...drive(1_030),
    ...stand(2_030, 10),
    ...drive(2_060),
  ]);
  const [short, long] = stopsOf(points);
  // A stop begins at the first reading from which all other readings of the stop are within 20 m.
  expect(short).toEqual({ first: 99, last: 129 });
  expect(long).toEqual({ first: 229, last: 289 });
  const kept = (limit: number) => thinPath(points, limit).map(({ ms }) => ms / 10_000);
  expect(kept(12)).toEqual(expect.arrayContaining([99, 129, 229, 289]));
  expect(kept(8)).toEqual(expect.arrayContaining([0, 229, 289, points.length - 1]));
});

test.each([
  ['just long enough', 13, 1],
  ['too short', 12, 0],
])('a machine that stands has a stop from 2 minutes on: %s (MDET-12)', (_name, readings, stops) => {
  expect(stopsOf(along(Array.from({ length: readings }, () => 0)))).toHaveLength(stops);
});

test('thinPath spreads points evenly over time if the shape of the path needs fewer points than the limit (MDET-12)', () => {
  const thin = thinPath(along(Array.from({ length: 1_001 }, () => 0)), 11);
  expect(thin).toHaveLength(11);
  const steps = thin.slice(1).map(({ ms }, n) => ms - (thin[n] as TimedPosition).ms);
  expect(Math.max(...steps)).toBeLessThanOrEqual((1_000 * 10_000) / 8 + 10_000);
});

const wander = fc
  .array(
    fc.tuple(
      fc.integer({ min: -60, max: 60 }),
      fc.integer({ min: -60, max: 60 }),
      fc.integer({ min: 1, max: 5 }),
    ),
    {
      minLength: 3,
      maxLength: 400,
    },
  )
  .map((steps) => {
    let [north, east, ms] = [0, 0, 0];
    return steps.map(([n, e, minutes]) => {
      north += n;
      east += e;
      ms += minutes * MINUTE;
      return { lat: 52 + north * METRE, lon: 5 + east * METRE * 1.6, ms };
    });
  });

test('a thinned path has at most the allowed number of points, in order, with the first and the last (MDET-12)', () => {
  fc.assert(
    fc.property(wander, fc.integer({ min: 2, max: 50 }), (points, limit) => {
      const thin = thinPath(points, limit);
      expect(thin).toHaveLength(Math.min(limit, points.length));
      expect([thin[0], thin.at(-1)]).toEqual([points[0], points.at(-1)]);
      expect(thin.map(({ ms }) => ms)).toEqual([...new Set(thin.map(({ ms }) => ms))].sort((a, b) => a - b));
      expect(thinPath(points, limit)).toEqual(thin);
    }),
  );
});

test('every point of a long drive lies within 25 m of the thinned path (MDET-12)', () => {
  const points = Array.from({ length: 20_000 }, (_, n) => ({
    lat: 52 + 0.05 * Math.sin(n / 900) + 0.004 * Math.sin(n / 35),
    lon: 5 + n / 20_000 + 0.006 * Math.cos(n / 50),
    ms: n * 1_000,
  }));
  const thin = thinPath(points, 2_000);
  let next = 0;
  for (const point of points) {
    while ((thin[next + 1] as TimedPosition).ms < point.ms) next += 1;
    const [a, b] = [thin[next] as TimedPosition, thin[next + 1] as TimedPosition];
    const drawn = Array.from({ length: 101 }, (_, n) => ({
      lat: a.lat + (n / 100) * (b.lat - a.lat),
      lon: a.lon + (n / 100) * (b.lon - a.lon),
    }));
    const metres = Math.min(...drawn.map((place) => distanceMetres(point, place)));
    // 25 m, although the thinned path keeps only one point in ten.
    expect(metres).toBeLessThan(25);
  }
});
