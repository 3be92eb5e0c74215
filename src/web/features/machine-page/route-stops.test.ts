import { expect, test } from 'vitest';
import type { RoutePoint } from './history-queries.ts';
import { routeStops, stopDurationText, stopsText, stopTimesText } from './route-stops.ts';

const MINUTE = 60_000;
/** 08:00 in Amsterdam. */
const EIGHT = Date.UTC(2026, 10, 23, 7);
/** Returns a point at minute `at`, `metres` to the north. */
const point = (at: number, metres: number): RoutePoint => ({
  lat: 52 + metres / 111_195,
  lon: 5,
  ms: EIGHT + at * MINUTE,
  speed: undefined,
  soc: undefined,
});
const still = (from: number, to: number, metres: number): RoutePoint[] =>
  Array.from({ length: to - from + 1 }, (_, n) => point(from + n, metres + (n % 2) * 15));

test.each<[string, RoutePoint[], string[]]>([
  [
    'finds a stop of 5 minutes within 20 m',
    [point(0, 0), ...still(1, 6, 500), point(7, 900)],
    ['08:01 tot 08:06: 5 min'],
  ],
  ['finds no stop of 4 minutes', [point(0, 0), ...still(1, 5, 500), point(6, 900)], []],
  [
    'finds a second stop at the same place, also across a gap',
    [...still(0, 10, 0), point(11, 500), point(12, 0), point(720, 5)],
    ['08:00 tot 08:10: 10 min', '08:12 tot 20:00: 11 u 48 min'],
  ],
  ['finds a stop over midnight', [point(900, 0), point(1_000, 0)], ['23:00 tot 24-11-26, 00:40: 1 u 40 min']],
  ['finds no stop while the machine drives', Array.from({ length: 20 }, (_, n) => point(n, n * 100)), []],
])('routeStops %s (15.5l)', (_, points, expected) => {
  const found = routeStops(points).map((stop) => `${stopTimesText(stop)}: ${stopDurationText(stop)}`);
  expect(found).toEqual(expected.map((text) => `23-11-26, ${text}`));
});

test('a stop has the index of its first point, and a text gives the number and total time of the stops (15.5l)', () => {
  const points = [point(0, 0), ...still(1, 6, 500), point(7, 900), ...still(8, 68, 2_000)];
  const stops = routeStops(points);
  expect(stops.map(({ index }) => index)).toEqual([1, 8]);
  expect(stops[1]).toMatchObject({ lat: point(8, 2_000).lat, lon: 5 });
  expect(stopsText(stops)).toBe('2 stops, samen 1 u 5 min');
  expect(stopsText(stops.slice(0, 1))).toBe('1 stop van 5 min');
  expect(stopsText([])).toBe('geen stops van 5 min of langer');
});
