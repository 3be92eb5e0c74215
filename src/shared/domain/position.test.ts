import { expect, test } from 'vitest';
import type { SignalValues } from './machine-status.ts';
import { type Position, positionOf, withoutFalsePosition } from './position.ts';

test.each<[string, SignalValues, Position | undefined]>([
  ['in the Netherlands', { LATITUDE: 52.1326, LONGITUDE: 5.2913 }, { lat: 52.1326, lon: 5.2913 }],
  ['south and west', { LATITUDE: -33.4, LONGITUDE: -70.6 }, { lat: -33.4, lon: -70.6 }],
  ['nearly the ends of the globe', { LATITUDE: -89.9, LONGITUDE: 179.9 }, { lat: -89.9, lon: 179.9 }],
  ['the pole of a raw 0', { LATITUDE: -90, LONGITUDE: -180 }, undefined],
  ['nothing', {}, undefined],
  ['0, 0', { LATITUDE: 0, LONGITUDE: 0 }, undefined],
  ['latitude missing', { LONGITUDE: 5.2913 }, undefined],
  ['longitude missing', { LATITUDE: 52.1326 }, undefined],
  ['latitude missing, as the wire says it', { LATITUDE: 0, LONGITUDE: 5.2913 }, undefined],
  ['longitude missing, as the wire says it', { LATITUDE: 52.1326, LONGITUDE: -0 }, undefined],
  ['NaN', { LATITUDE: Number.NaN, LONGITUDE: 5 }, undefined],
  ['infinite', { LATITUDE: 52, LONGITUDE: Number.POSITIVE_INFINITY }, undefined],
  ['latitude off the globe', { LATITUDE: 90.1, LONGITUDE: 5 }, undefined],
  ['longitude off the globe', { LATITUDE: 52, LONGITUDE: -180.1 }, undefined],
])('positionOf returns the position of a machine: %s (LIVE-06)', (_name, signals, expected) => {
  expect(positionOf(signals)).toEqual(expected);
});

test.each([
  [{ LATITUDE: 52.1, LONGITUDE: 5.2, Soc1: 80 }, ['LATITUDE', 'LONGITUDE', 'Soc1']],
  [{ Soc1: 80 }, ['Soc1']],
  [{ LATITUDE: 0, LONGITUDE: 0, Soc1: 80 }, ['Soc1']],
  [{ LATITUDE: 91, LONGITUDE: 181, Soc1: 80 }, ['Soc1']],
  [{ LATITUDE: 52.1, LONGITUDE: 0 }, []],
  [{ LATITUDE: 52.1, Soc1: 80 }, ['Soc1']],
  [{ LONGITUDE: -181, Soc1: 80 }, ['Soc1']],
])('withoutFalsePosition removes an invalid position: of %j stays %j (LIVE-06, 12.A7)', (signals, kept) => {
  expect(Object.keys(withoutFalsePosition(signals)).sort()).toEqual(kept);
});
