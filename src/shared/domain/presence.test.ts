import { expect, test } from 'vitest';
import { type Area, type Box, sortBySmallestArea } from './area.ts';
import {
  areasNear,
  boxLocationOf,
  keepsPresenceState,
  nextPresenceState,
  type ProjectArea,
} from './presence.ts';
import { Random } from './test/oracle/random-machine.ts';

const METRES_PER_DEGREE = 111_195;
const DAY = { from: 0, to: 86_400_000 };

/** Returns a position `metres` away in a random direction. */
function away(random: Random, { lat, lon }: { lat: number; lon: number }, metres: number) {
  const angle = random.between(0, 2 * Math.PI);
  const east = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  return {
    lat: lat + (metres * Math.sin(angle)) / METRES_PER_DEGREE,
    lon: lon + (metres * Math.cos(angle)) / east,
  };
}

/** Returns a random size; small sizes are as likely as large ones. */
const sizeIn = (random: Random, least: number, most: number): number =>
  Math.exp(random.between(Math.log(least), Math.log(most)));

function areaAt(random: Random, centre: { lat: number; lon: number }): Area {
  const radius = sizeIn(random, 10, 25_000);
  if (random.chance(0.5)) return { centre, radiusMetres: radius };
  const count = random.whole(3, 8);
  return {
    corners: Array.from({ length: count }, (_, n) => {
      const angle = (2 * Math.PI * n) / count;
      const metres = radius * random.between(0.3, 1);
      const east = METRES_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180);
      return {
        lat: centre.lat + (metres * Math.sin(angle)) / METRES_PER_DEGREE,
        lon: centre.lon + (metres * Math.cos(angle)) / east,
      };
    }),
  };
}

test('the positions and areas that the computation skips would not change any presence (14.2c)', () => {
  const random = new Random(14);
  let [skipped, left] = [0, 0];
  for (let n = 0; n < 4_000; n += 1) {
    const middle = { lat: random.pick([0, 52, 52, -52, 78]), lon: random.between(-170, 170) };
    const places = sortBySmallestArea(
      Array.from({ length: random.whole(1, 3) }, (_, id): ProjectArea => {
        const area = areaAt(random, away(random, middle, sizeIn(random, 1, 20_000)));
        return { projectId: id, area, from: 0, to: random.pick([DAY.to, DAY.to, DAY.to / 2]) };
      }),
    );
    const size = sizeIn(random, 1, 30_000) / METRES_PER_DEGREE;
    const corner = away(random, middle, sizeIn(random, 1, 60_000));
    const box: Box = {
      south: corner.lat,
      west: corner.lon,
      north: corner.lat + size * random.between(0, 1),
      east: corner.lon + (size * random.between(0, 1)) / Math.cos((corner.lat * Math.PI) / 180),
    };
    const state = { projectId: random.pick([undefined, 0, 0, 1]) };
    const near = areasNear(places, box);
    left += places.length - near.length;
    const isSkipped = keepsPresenceState(state, boxLocationOf(DAY, box, places));
    skipped += Number(isSkipped);
    for (let position = 0; position < 12; position += 1) {
      const lat = random.pick([box.south, box.north, random.between(box.south, box.north)]);
      const lon = random.pick([box.west, box.east, random.between(box.west, box.east)]);
      const time = random.pick([0, DAY.to / 2, DAY.to - 1]);
      // In the hour before, the machine stood near that position.
      const metres = random.between(0, 220);
      const scatter = { middle: away(random, { lat, lon }, random.between(0, metres)), metres };
      const isKnown = random.chance(0.5);
      const scatterOf = () => (isKnown ? scatter : undefined);
      const moved = nextPresenceState(state, time, { lat, lon }, places, scatterOf);
      expect(nextPresenceState(state, time, { lat, lon }, near, scatterOf), `box ${n}`).toEqual(moved);
      if (isSkipped) expect(moved, `box ${n}`).toEqual({ state, changes: [] });
    }
  }
  // The comparison covers enough skipped positions and enough areas that `areasNear` left out.
  expect(skipped).toBeGreaterThan(500);
  expect(left).toBeGreaterThan(500);
});

test('positions in a bounding box across the date line or as large as a country are not skipped (14.2c)', () => {
  const area: Area = { centre: { lat: 52, lon: 5 }, radiusMetres: 100 };
  const places: ProjectArea[] = [{ projectId: 1, area, from: 0, to: DAY.to }];
  const boxes: Box[] = [
    { south: 51.9, west: -179.99, north: 52.1, east: 179.99 },
    { south: 10, west: 4, north: 60, east: 4.5 },
  ];
  expect(boxes.map((box) => keepsPresenceState({}, boxLocationOf(DAY, box, places)))).toEqual([false, false]);
});
