import { expect, test } from 'vitest';
import { gridCrossings, gridLines, gridStep, relativePositionText } from './grid.ts';
import { worldSizePx } from './mercator.ts';

test.each([9, 10, 12, 13, 15, 17, 19])(
  'at zoom %i the grid has a line every 64 to 200 pixels (MAP-02)',
  (z) => {
    const px = (gridStep(z, 64) * worldSizePx(z)) / 360;
    expect(px).toBeGreaterThanOrEqual(64);
    expect(px).toBeLessThan(200);
  },
);

test('a grid line continues at the same position in the adjacent tile (MAP-02)', () => {
  const step = gridStep(13, 64);
  const here = gridLines({ z: 13, x: 4216, y: 2700 }, step, 256);
  const next = gridLines({ z: 13, x: 4217, y: 2700 }, step, 256);
  const shared = next.meridians.filter(({ at }) => here.meridians.some((line) => line.at === at));
  expect(shared.length).toBeGreaterThan(2);
  for (const { at, x } of shared) {
    expect(here.meridians.find((line) => line.at === at)!.x - 256).toBeCloseTo(x, 6);
  }
});

test('a crossing of the grid lies at the pixel of its longitude and latitude (MAP-02)', () => {
  // The tile with Amersfoort contains latitude 52.15 and longitude 5.4: a crossing of a grid of 0.05 degree.
  const crossings = gridCrossings({ z: 13, x: 4218, y: 2700 }, 0.05, 256);
  const near = crossings.find(
    ({ longitude, latitude }) => Math.abs(longitude - 5.4) < 1e-9 && Math.abs(latitude - 52.15) < 1e-9,
  );
  expect(near?.x).toBeCloseTo(((5.4 / 360 + 0.5) * 8192 - 4218) * 256, 6);
});

test.each([
  ['north', 5.39, 52.205, 0, '5 km N van Amersfoort'],
  ['south-east', 5.437, 52.127, 0, '5 km ZO van Amersfoort'],
  ['west, with a decimal', 3.5, 51.5, 1, '7,6 km W van Middelburg'],
  ['in town', 5.392, 52.161, 0, undefined],
  ['on the ocean', -30, 45, 0, undefined],
] as const)(
  'the text about a position relative to a town is right: %s (MAP-02)',
  (_, longitude, latitude, decimals, expected) => {
    expect(relativePositionText(longitude, latitude, decimals)).toBe(expected);
  },
);
