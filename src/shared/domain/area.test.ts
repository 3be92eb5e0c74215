import { expect, test } from 'vitest';
import { type Area, type AreaError, areaErrorOf, areaSquareMetres, signedDistanceMetres } from './area.ts';
import { areaSizeSquareMetres, metresOutside as theirMetres } from './test/oracle/area.ts';
import { ORACLE_SEED_NUMBERS, randomMachine } from './test/oracle/random-machine.ts';
import { randomProjects } from './test/oracle/random-projects.ts';

const at = (lat: number, lon: number) => ({ lat, lon });
const circle = (lat: number, lon: number, radiusMetres: number): Area => ({
  centre: at(lat, lon),
  radiusMetres,
});
const polygon = (...corners: (readonly [number, number])[]): Area => ({
  corners: corners.map(([lat, lon]) => at(lat, lon)),
});

test.each<readonly [string, Area, AreaError | undefined]>([
  ['a circle', circle(52, 5, 100), undefined],
  ['a small circle', circle(52, 5, 10), undefined],
  ['a smaller one', circle(52, 5, 9.99), 'radius'],
  ['a radius that is no number', circle(52, 5, Number.NaN), 'radius'],
  ['a circle of a province', circle(52, 5, 25_001), 'too-large'],
  ['at the pole', circle(81, 5, 100), 'off-the-map'],
  ['a triangle', polygon([52, 5], [52.001, 5], [52, 5.001]), undefined],
  ['the other way round', polygon([52, 5], [52, 5.001], [52.001, 5]), undefined],
  ['two corners', polygon([52, 5], [52.001, 5]), 'few-corners'],
  ['a line', polygon([52, 5], [52.001, 5], [52.002, 5]), 'crosses-itself'],
  ['a corner twice', polygon([52, 5], [52, 5], [52.001, 5], [52, 5.001]), 'crosses-itself'],
  ['a bow tie', polygon([52, 5], [52.001, 5.001], [52.001, 5], [52, 5.001]), 'crosses-itself'],
  [
    'a side that touches a corner',
    polygon([52, 5], [52, 5.002], [52.001, 5.001], [52, 5.001], [52.001, 5]),
    'crosses-itself',
  ],
  ['over the date line', polygon([52, 179.9], [52, -179.9], [52.001, 179.95]), 'too-large'],
  ['half a country', polygon([52, 5], [52.5, 5], [52, 5.5]), 'too-large'],
  ['off the globe', polygon([52, 5], [52.001, 5], [52, 181]), 'off-the-map'],
  [
    '501 corners',
    {
      corners: Array.from({ length: 501 }, (_, n) =>
        at(52 + Math.sin(n / 80) / 1000, 5 + Math.cos(n / 80) / 1000),
      ),
    },
    'many-corners',
  ],
  ['ten centimetres', polygon([52, 5], [52.000001, 5], [52, 5.000001]), 'no-surface'],
])('the error of an area, %s: %o is %s (14.1a)', (_, area, error) => {
  expect(areaErrorOf(area)).toBe(error);
});

test('the distance to the edge of an area and its size agree with the oracle (14.1a)', () => {
  for (const seed of ORACLE_SEED_NUMBERS) {
    const machine = randomMachine(seed, { size: 100 });
    for (const { areas } of randomProjects(machine).projects) {
      for (const area of areas) {
        const ours: Area =
          area.kind === 'circle'
            ? { centre: area.centre, radiusMetres: area.radius }
            : { corners: area.corners };
        expect(areaSquareMetres(ours)).toBeCloseTo(areaSizeSquareMetres(area), 6);
        for (const { signals } of machine.stored) {
          const { LATITUDE: lat, LONGITUDE: lon } = signals;
          if (lat === undefined || lon === undefined) continue;
          expect(signedDistanceMetres(ours, { lat, lon })).toBeCloseTo(
            theirMetres(area, { lat, lon, time: 0 } as never),
            2,
          );
        }
      }
    }
  }
});
