import { readFileSync } from 'node:fs';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { expect, test } from 'vitest';
import { demoMachines } from '#shared/demo/fleet.ts';
import { distanceKm } from './path-geometry.ts';
import { deploymentOf, type SimulatedDeployment } from './work-schedules.ts';
import type { LatLon } from './work-sites.ts';

const deployments: readonly (readonly [string, SimulatedDeployment])[] = demoMachines.map(
  ({ serialNumber }) => [serialNumber, deploymentOf(serialNumber)],
);

/** The outer rings of the Netherlands (Natural Earth, 1:10 million), [longitude, latitude]. */
function dutchRings(): number[][][] {
  const file = new URL('../../node_modules/world-atlas/countries-10m.json', import.meta.url);
  const atlas = JSON.parse(readFileSync(file, 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const countries = feature(atlas, atlas.objects.countries).features;
  const shape = countries.find(({ properties }) => properties?.name === 'Netherlands')?.geometry;
  if (shape?.type !== 'MultiPolygon') throw new Error('no Netherlands in world-atlas');
  return shape.coordinates.map((polygon) => polygon[0]!);
}

function inside(ring: readonly number[][], { lat, lon }: LatLon): boolean {
  let odd = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [x1, y1] = ring[i] as [number, number];
    const [x2, y2] = ring[j] as [number, number];
    if (y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) odd = !odd;
  }
  return odd;
}

test('every work site, and every point of the roads between sites, is on Dutch land', () => {
  const rings = dutchRings();
  expect(rings.some((ring) => inside(ring, { lat: 52.7, lon: 4.3 }))).toBe(false); // the North Sea
  for (const [serial, { base, second, via }] of deployments) {
    for (const point of [base, second, ...via]) {
      expect(
        rings.some((ring) => inside(ring, point)),
        `${serial} ${point.lat}, ${point.lon}`,
      ).toBe(true);
    }
  }
});

test('the two sites of a machine are 15 to 60 km apart, and the road between them is less than 1.6 times as long', () => {
  for (const [serial, { base, second, via }] of deployments) {
    const apart = distanceKm(base, second);
    expect(apart, serial).toBeGreaterThan(15);
    expect(apart, serial).toBeLessThan(60);
    const road = [base, ...via, second];
    const length = road.slice(1).reduce((km, point, i) => km + distanceKm(road[i]!, point), 0);
    expect(length / apart, serial).toBeLessThan(1.6);
  }
});

test('no two bases are within a kilometre of each other', () => {
  for (const [a, { base }] of deployments) {
    for (const [b, other] of deployments) {
      if (a < b) expect(distanceKm(base, other.base), `${a} and ${b}`).toBeGreaterThan(1);
    }
  }
});

test('exactly one logger of the demo is silent, and its machine has a crew that works by day', () => {
  const silent = deployments.filter(([, deployment]) => deployment.silent);
  expect(silent.map(([, { rhythm }]) => rhythm)).toEqual(['day']);
});

test('deploymentOf throws for a machine outside the demo', () => {
  expect(() => deploymentOf('X')).toThrow('no deployment for demo machine X');
});
