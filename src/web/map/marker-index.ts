import Supercluster, { type ClusterFeature, type PointFeature } from 'supercluster';
import type { Position } from '#shared/domain/position.ts';

/** From this many machines on, near ones are drawn as one bubble (MAP-13; docs/design.md section 10). */
export const CLUSTER_FROM = 200;
/** Screen pixels; machines closer than this share a bubble. */
const CLUSTER_RADIUS_PX = 60;
/** Leaflet's tile size, in which Supercluster measures the radius. */
const TILE_PX = 256;

/** Degrees. */
export type Bounds = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** Machine `at` in the list the index was made of. */
export type MachineSpot = { readonly kind: 'machine'; readonly at: number };

export type ClusterSpot = Position & {
  readonly kind: 'cluster';
  readonly count: number;
  /** The lowest `at` in the bubble: its name as long as its machines stay together. */
  readonly first: number;
  /** The lowest zoom level at which it falls apart. */
  readonly expandsAt: number;
};

export type Spot = MachineSpot | ClusterSpot;

export type MarkerIndex = {
  /** What to draw at a whole zoom level: below CLUSTER_FROM always every machine, else what is in `bounds`. */
  readonly spotsIn: (bounds: Bounds, zoom: number) => Spot[];
};

/**
 * Which markers to draw where. 10,000 machines take some 45 ms to index and a few ms to ask.
 *
 * @param maxZoom The deepest zoom of the map; there nothing is clustered any more.
 */
export function markerIndex(places: readonly Position[], maxZoom: number): MarkerIndex {
  if (places.length < CLUSTER_FROM) {
    const all = places.map((_, at): Spot => ({ kind: 'machine', at }));
    return { spotsIn: () => all };
  }
  const clusters = new Supercluster<{ first: number }, { first: number }>({
    radius: CLUSTER_RADIUS_PX,
    extent: TILE_PX,
    maxZoom: maxZoom - 1,
    map: ({ first }) => ({ first }),
    reduce: (sum, { first }) => {
      sum.first = Math.min(sum.first, first);
    },
  }).load(places.map(feature));
  return {
    spotsIn: ({ west, south, east, north }, zoom) =>
      clusters
        .getClusters([west, south, east, north], zoom)
        .map((shape) => spotOf(shape, (clusterId) => clusters.getClusterExpansionZoom(clusterId))),
  };
}

const feature = ({ lat, lon }: Position, at: number): PointFeature<{ first: number }> => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties: { first: at },
});

function spotOf(
  { geometry, properties }: ClusterFeature<{ first: number }> | PointFeature<{ first: number }>,
  expansionZoom: (clusterId: number) => number,
): Spot {
  if (!('cluster' in properties)) return { kind: 'machine', at: properties.first };
  const [lon = 0, lat = 0] = geometry.coordinates;
  const { first, point_count: count, cluster_id: clusterId } = properties;
  return { kind: 'cluster', lat, lon, count, first, expandsAt: expansionZoom(clusterId) };
}
