import { describe, expect, test } from 'vitest';
import { CLUSTER_FROM, type ClusterSpot, markerIndex, type Spot } from './marker-index.ts';

const MAX_ZOOM = 19;
const THE_NETHERLANDS = { west: 3, south: 50, east: 8, north: 54 };

/** `count` machines in rows of 100, some 700 m apart, from Utrecht to the north-east. */
const field = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    lat: 52 + Math.floor(at / 100) * 0.01,
    lon: 5 + (at % 100) * 0.01,
  }));

const isCluster = (spot: Spot): spot is ClusterSpot => spot.kind === 'cluster';
const machinesIn = (spots: readonly Spot[]) =>
  spots.reduce((sum, spot) => sum + (isCluster(spot) ? spot.count : 1), 0);

describe('markerIndex', () => {
  test('MAP-13 below 200 machines every machine has its own marker, in and out of view', () => {
    const spots = markerIndex(field(CLUSTER_FROM - 1), MAX_ZOOM).spotsIn(
      { west: 0, south: 0, east: 1, north: 1 },
      7,
    );
    expect(spots).toHaveLength(CLUSTER_FROM - 1);
    expect(spots[7]).toEqual({ kind: 'machine', at: 7 });
  });

  test('MAP-13 from 200 machines on near ones share a bubble, and none is lost', () => {
    const spots = markerIndex(field(CLUSTER_FROM), MAX_ZOOM).spotsIn(THE_NETHERLANDS, 7);
    expect(spots.length).toBeLessThan(20);
    expect(machinesIn(spots)).toBe(CLUSTER_FROM);
  });

  test.each([5, 7, 9, 11, 13, 19])(
    'MAP-13 at zoom %i the bubbles hold each of 10,000 machines once',
    (zoom) => {
      const spots = markerIndex(field(10_000), MAX_ZOOM).spotsIn(THE_NETHERLANDS, zoom);
      expect(machinesIn(spots)).toBe(10_000);
      const names = spots.map((spot) => (isCluster(spot) ? spot.first : spot.at));
      expect(new Set(names).size).toBe(spots.length);
    },
  );

  test('MAP-13 at the deepest zoom nothing is clustered, not even at one place', () => {
    const yard = Array.from({ length: CLUSTER_FROM }, () => ({ lat: 52, lon: 5 }));
    const index = markerIndex(yard, MAX_ZOOM);
    expect(index.spotsIn(THE_NETHERLANDS, MAX_ZOOM - 1)).toHaveLength(1);
    expect(index.spotsIn(THE_NETHERLANDS, MAX_ZOOM).filter(isCluster)).toEqual([]);
  });

  test('MAP-13 a bubble falls apart at its expansion zoom, not before', () => {
    const index = markerIndex(field(400), MAX_ZOOM);
    const bubble = index.spotsIn(THE_NETHERLANDS, 7).find(isCluster)!;
    const zoom = bubble.expandsAt;
    const sameBubble = (at: number) =>
      index.spotsIn(THE_NETHERLANDS, at).find((spot) => isCluster(spot) && spot.first === bubble.first);
    expect(sameBubble(zoom - 1)).toMatchObject({ count: bubble.count });
    expect((sameBubble(zoom) as ClusterSpot | undefined)?.count ?? 1).toBeLessThan(bubble.count);
  });

  test('MAP-07 a bubble is named after the first of its machines in the list', () => {
    const [bubble, ...others] = markerIndex(field(400).reverse(), MAX_ZOOM).spotsIn(THE_NETHERLANDS, 3);
    expect(others).toEqual([]);
    expect(bubble).toMatchObject({ kind: 'cluster', count: 400, first: 0 });
  });

  test('MAP-07 a bubble keeps its name when its machines move a little', () => {
    const names = (places: { lat: number; lon: number }[]) =>
      markerIndex(places, MAX_ZOOM)
        .spotsIn(THE_NETHERLANDS, 7)
        .filter(isCluster)
        .map(({ first }) => first)
        .sort((a, b) => a - b);
    const places = field(CLUSTER_FROM);
    const moved = places.map(({ lat, lon }, at) => ({
      lat: lat + (at % 3) * 1e-5,
      lon: lon - (at % 5) * 1e-5,
    }));
    expect(names(moved)).toEqual(names(places));
  });
});
