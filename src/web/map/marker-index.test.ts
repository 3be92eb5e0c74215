import { describe, expect, test } from 'vitest';
import {
  type ClusterSpot,
  indexesAtSameSpot,
  type MarkerSpot,
  MIN_MARKERS_FOR_WORKER,
  markerIndex,
} from './marker-index.ts';

const MAX_ZOOM = 19;
const THE_NETHERLANDS = { west: 3, south: 50, east: 8, north: 54 };

/** `count` machines in rows of 100, some 700 m apart, from Utrecht to the north-east. */
const field = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    lat: 52 + Math.floor(at / 100) * 0.01,
    lon: 5 + (at % 100) * 0.01,
  }));

const isCluster = (spot: MarkerSpot): spot is ClusterSpot => spot.kind === 'cluster';
const machinesIn = (spots: readonly MarkerSpot[]) =>
  spots.reduce((sum, spot) => sum + (isCluster(spot) ? spot.count : 1), 0);

describe('markerIndex', () => {
  test('spotsIn returns all spots of a fleet below 200 machines, also those out of view, and machines close together as one bubble (15.3a, MAP-13)', () => {
    const elsewhere = { west: 0, south: 0, east: 1, north: 1 };
    const [bubble, other, ...more] = markerIndex([...field(2), { lat: 53, lon: 6 }], MAX_ZOOM).spotsIn(
      elsewhere,
      7,
    );
    expect(bubble).toMatchObject({ kind: 'cluster', count: 2, first: 0, members: [0, 1] });
    expect([other, ...more]).toEqual([{ kind: 'machine', at: 2 }]);
    expect(markerIndex(field(MIN_MARKERS_FOR_WORKER - 1), MAX_ZOOM).spotsIn(elsewhere, 19)).toHaveLength(
      MIN_MARKERS_FOR_WORKER - 1,
    );
    expect(markerIndex(field(MIN_MARKERS_FOR_WORKER), MAX_ZOOM).spotsIn(elsewhere, 19)).toEqual([]);
  });

  test('in a fleet of 200 machines, machines close together share a bubble, and each machine is in one spot (MAP-13)', () => {
    const spots = markerIndex(field(MIN_MARKERS_FOR_WORKER), MAX_ZOOM).spotsIn(THE_NETHERLANDS, 7);
    expect(spots.length).toBeLessThan(20);
    expect(machinesIn(spots)).toBe(MIN_MARKERS_FOR_WORKER);
  });

  test.each([5, 7, 9, 11, 13, 19])(
    'the bubbles at zoom %i hold each of 10,000 machines once (MAP-13)',
    (zoom) => {
      const spots = markerIndex(field(10_000), MAX_ZOOM).spotsIn(THE_NETHERLANDS, zoom);
      expect(machinesIn(spots)).toBe(10_000);
      const names = spots.map((spot) => (isCluster(spot) ? spot.first : spot.at));
      expect(new Set(names).size).toBe(spots.length);
    },
  );

  test('machines at one spot stay one bubble at every zoom, and expandsAt is undefined (15.3b, MAP-13)', () => {
    // The machines are 1 m apart, some 5 px at zoom 19.
    const yard = Array.from({ length: 500 }, (_, at) => ({ lat: 52, lon: 5 + (at % 3) * 0.00001 }));
    const index = markerIndex([...yard, { lat: 53, lon: 6 }], MAX_ZOOM);
    for (const zoom of [9, MAX_ZOOM]) {
      const [bubble, ...others] = index.spotsIn(THE_NETHERLANDS, zoom);
      expect(bubble).toMatchObject({ kind: 'cluster', count: 500, expandsAt: undefined });
      expect(others).toEqual([{ kind: 'machine', at: 500 }]);
    }
    expect(indexesAtSameSpot([...yard, { lat: 53, lon: 6 }], yard[0]!, MAX_ZOOM)).toEqual(
      yard.map((_, at) => at),
    );
  });

  test.each([3, 7, 10, 13, 16, 19])(
    'no two markers at zoom %i are closer than the width of the widest bubble (15.3d)',
    (zoom) => {
      // Towns, yards and single machines, from a random generator with a fixed seed.
      let seed = 7;
      const random = (): number => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed / 2_147_483_647;
      };
      const places = Array.from({ length: 3_000 }, (_, at) => {
        const spread = [0.00001, 0.001, 0.05, 1][at % 4]!;
        return { lat: 51 + (at % 7) * 0.3 + random() * spread, lon: 4 + (at % 5) * 0.4 + random() * spread };
      });
      const px = ({ lat, lon }: { lat: number; lon: number }) => {
        const scale = 256 * 2 ** zoom;
        const y = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI);
        return { x: ((lon + 180) / 360) * scale, y: (0.5 - y) * scale };
      };
      const drawn = markerIndex(places, MAX_ZOOM)
        .spotsIn(THE_NETHERLANDS, zoom)
        .map((spot) => px(isCluster(spot) ? spot : places[spot.at]!))
        .sort((a, b) => a.x - b.x);
      let least = Number.POSITIVE_INFINITY;
      drawn.forEach((a, at) => {
        for (let next = at + 1; next < drawn.length && drawn[next]!.x - a.x < least; next++) {
          const b = drawn[next]!;
          least = Math.min(least, Math.max(b.x - a.x, Math.abs(b.y - a.y)));
        }
      });
      expect(least).toBeGreaterThanOrEqual(52 - 1e-3);
    },
  );

  test('a bubble splits at the zoom level expandsAt, and not at the level below (MAP-13)', () => {
    const index = markerIndex(field(400), MAX_ZOOM);
    const bubble = index.spotsIn(THE_NETHERLANDS, 7).find(isCluster)!;
    const zoom = bubble.expandsAt!;
    const sameBubble = (at: number) =>
      index.spotsIn(THE_NETHERLANDS, at).find((spot) => isCluster(spot) && spot.first === bubble.first);
    expect(sameBubble(zoom - 1)).toMatchObject({ count: bubble.count });
    expect((sameBubble(zoom) as ClusterSpot | undefined)?.count ?? 1).toBeLessThan(bubble.count);
  });

  test('the id of a bubble is the index of its first machine in the list (MAP-07)', () => {
    const [bubble, ...others] = markerIndex(field(400).reverse(), MAX_ZOOM).spotsIn(THE_NETHERLANDS, 3);
    expect(others).toEqual([]);
    expect(bubble).toMatchObject({ kind: 'cluster', count: 400, first: 0 });
  });

  test('a bubble keeps its id when its machines move a little (MAP-07)', () => {
    const names = (places: { lat: number; lon: number }[]) =>
      markerIndex(places, MAX_ZOOM)
        .spotsIn(THE_NETHERLANDS, 7)
        .filter(isCluster)
        .map(({ first }) => first)
        .sort((a, b) => a - b);
    const places = field(MIN_MARKERS_FOR_WORKER);
    const moved = places.map(({ lat, lon }, at) => ({
      lat: lat + (at % 3) * 1e-5,
      lon: lon - (at % 5) * 1e-5,
    }));
    expect(names(moved)).toEqual(names(places));
  });
});
