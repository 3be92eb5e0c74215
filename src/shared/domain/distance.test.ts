import { expect, test } from 'vitest';
import { distanceMetres } from './distance.ts';
import type { Position } from './position.ts';

const utrecht = { lat: 52.0907, lon: 5.1214 };

// One degree of a great circle of radius 6371 km is 6371000 x pi / 180 = 111194.93 m.
test.each<[string, Position, Position, number]>([
  ['the same point', utrecht, utrecht, 0],
  ['a degree north', { lat: 52, lon: 5 }, { lat: 53, lon: 5 }, 111_194.93],
  ['a degree along the equator', { lat: 0, lon: 10 }, { lat: 0, lon: 11 }, 111_194.93],
  ['across the date line', { lat: 0, lon: 179.5 }, { lat: 0, lon: -179.5 }, 111_194.93],
  ['pole to pole', { lat: 90, lon: 0 }, { lat: -90, lon: 0 }, Math.PI * 6_371_000],
  ['opposite points', { lat: 33.3, lon: 12.1 }, { lat: -33.3, lon: -167.9 }, Math.PI * 6_371_000],
  ['a metre', { lat: 52, lon: 5 }, { lat: 52.000009, lon: 5 }, 1.0008],
])('distanceMetres returns the distance between two positions: %s (MAP-08)', (_name, from, to, metres) => {
  expect(distanceMetres(from, to)).toBeCloseTo(metres, 2);
  expect(distanceMetres(to, from)).toBeCloseTo(metres, 2);
});
