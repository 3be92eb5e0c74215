import { expect, test } from 'vitest';
import { isValidTileAddress, projectToMercator, unprojectFromMercator } from './mercator.ts';

test.each([
  // Each row: longitude, latitude, x and y (0..1). The first three rows follow from the definition of EPSG:3857.
  [0, 0, 0.5, 0.5],
  [-180, 85.0511287798066, 0, 0],
  [180, -90, 1, 1], // a latitude beyond the square world
  // These values were computed by another form of the formula: y = (1 - ln(tan(lat) + sec(lat)) / pi) / 2.
  [
    5.2913,
    52.1326,
    5.2913 / 360 + 0.5,
    (1 - Math.log(Math.tan(0.90988552) + 1 / Math.cos(0.90988552)) / Math.PI) / 2,
  ],
])('the position (%s, %s) is projected to (%s, %s) (MAP-01)', (longitude, latitude, x, y) => {
  const at = projectToMercator(longitude, latitude);
  expect(at.x).toBeCloseTo(x, 6);
  expect(at.y).toBeCloseTo(y, 6);
});

test('a position lies in the tile that the OpenStreetMap wiki gives (Slippy map tilenames, zoom 18) (MAP-02)', () => {
  const { x, y } = projectToMercator(139.7006793, 35.6590699);
  expect([Math.floor(x * 2 ** 18), Math.floor(y * 2 ** 18)]).toEqual([232798, 103246]);
});

test('unproject is the inverse of project (MAP-02)', () => {
  const { x, y } = projectToMercator(5.2913, 52.1326);
  expect(unprojectFromMercator(x, y).longitude).toBeCloseTo(5.2913, 9);
  expect(unprojectFromMercator(x, y).latitude).toBeCloseTo(52.1326, 9);
});

test.each([
  [{ z: 0, x: 0, y: 0 }, true],
  [{ z: 7, x: 127, y: 127 }, true],
  [{ z: 19, x: 524287, y: 0 }, true],
  [{ z: 7, x: 128, y: 0 }, false],
  [{ z: 7, x: 0, y: 128 }, false],
  [{ z: 7, x: -1, y: 0 }, false],
  [{ z: 20, x: 0, y: 0 }, false],
  [{ z: -1, x: 0, y: 0 }, false],
  [{ z: 7, x: 1.5, y: 0 }, false],
  [{ z: 7, x: Number.NaN, y: 0 }, false],
])('tile %o exists: %s (MAP-02)', (address, exists) => {
  expect(isValidTileAddress(address)).toBe(exists);
});
