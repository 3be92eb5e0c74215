import { expect, test } from 'vitest';
import type { RoutePoint } from './history-calls.ts';
import { lengthOfStop, routeStops, stopsInWords, timesOfStop } from './route-stops.ts';

const MINUTE = 60_000;
/** 08:00 in Amsterdam. */
const EIGHT = Date.UTC(2026, 10, 23, 7);
/** At minute `at`, so many metres north. */
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
    '5 minutes within 20 m is one',
    [point(0, 0), ...still(1, 6, 500), point(7, 900)],
    ['08:01 tot 08:06: 5 min'],
  ],
  ['4 are none', [point(0, 0), ...still(1, 5, 500), point(6, 900)], []],
  [
    'the same place again is another one, also behind a silence',
    [...still(0, 10, 0), point(11, 500), point(12, 0), point(720, 5)],
    ['08:00 tot 08:10: 10 min', '08:12 tot 20:00: 11 u 48 min'],
  ],
  ['over midnight', [point(900, 0), point(1_000, 0)], ['23:00 tot 24-11-26, 00:40: 1 u 40 min']],
  ['who drives has none', Array.from({ length: 20 }, (_, n) => point(n, n * 100)), []],
])('15.5l stops: %s', (_, points, expected) => {
  const told = routeStops(points).map((stop) => `${timesOfStop(stop)}: ${lengthOfStop(stop)}`);
  expect(told).toEqual(expected.map((words) => `23-11-26, ${words}`));
});

test('15.5l a stop begins at its first point, and all of them are told together', () => {
  const points = [point(0, 0), ...still(1, 6, 500), point(7, 900), ...still(8, 68, 2_000)];
  const stops = routeStops(points);
  expect(stops.map(({ index }) => index)).toEqual([1, 8]);
  expect(stops[1]).toMatchObject({ lat: point(8, 2_000).lat, lon: 5 });
  expect(stopsInWords(stops)).toBe('2 stops, samen 1 u 5 min');
  expect(stopsInWords(stops.slice(0, 1))).toBe('1 stop van 5 min');
  expect(stopsInWords([])).toBe('geen stops van 5 min of langer');
});
