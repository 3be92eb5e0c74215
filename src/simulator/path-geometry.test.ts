import { expect, test } from 'vitest';
import { distanceKm, driveProgress, travelPath } from './path-geometry.ts';
import { latLon } from './work-sites.ts';

test('distanceKm returns the distance from Utrecht to Amersfoort', () => {
  expect(distanceKm(latLon(52.0907, 5.1214), latLon(52.1561, 5.3878))).toBeCloseTo(19.6, 1);
});

test('a travel path passes through its points, and its length is the distance along its curve', () => {
  const points = [latLon(52, 5), latLon(52.1, 5.1), latLon(52.1, 5.3)];
  const path = travelPath(points);
  expect(path.at(-1)).toEqual(points[0]);
  expect(path.at(path.lengthKm + 1)).toEqual(points[2]);
  let walked = 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (let km = 0; km < path.lengthKm; km += 0.05) {
    walked += distanceKm(path.at(km), path.at(km + 0.05));
    nearest = Math.min(nearest, distanceKm(path.at(km), points[1]!));
  }
  expect(walked).toBeGreaterThan(0.99 * path.lengthKm);
  expect(nearest).toBeLessThan(0.05);
});

test.each([0, 1, 2.5, 5])('a drive starts and ends at rest and never goes back (traffic %d)', (traffic) => {
  expect(driveProgress(0, traffic)).toEqual({ done: 0, rate: 0 });
  expect(driveProgress(1, traffic)).toEqual({ done: 1, rate: 0 });
  const dx = 1e-4;
  for (let x = dx; x < 1 - dx; x += 0.001) {
    const here = driveProgress(x, traffic);
    const ahead = driveProgress(x + dx, traffic);
    const behind = driveProgress(x - dx, traffic);
    expect(ahead.done).toBeGreaterThan(here.done);
    expect(here.rate).toBeCloseTo((ahead.done - behind.done) / (2 * dx), 1);
  }
});
