import { expect, test } from 'vitest';
import { nearestTown } from './nearest-town.ts';

test.each<[string, number, number, string]>([
  ['in the middle of it', 52.51, 6.09, 'Zwolle'],
  ['at its edge', 52.51, 6.14, 'Zwolle'],
  ['outside', 52.51, 6.19, '7 km van Zwolle'],
  ['nearer to the east than to the north', 52.1, 5.2, 'Zeist'],
  ['at sea', 53.5, 3.5, '103 km van Den Helder'],
  ['far away', 41.39, 2.18, 'Barcelona'],
])('nearestTown names the nearest town of the built-in map: %s (15.1h)', (_, lat, lon, expected) => {
  expect(nearestTown({ lat, lon })).toBe(expected);
});
