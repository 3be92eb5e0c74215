import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Feature, Position } from 'geojson';
import GeoJSONVT from 'geojson-vt';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, MultiPolygon, Topology } from 'topojson-specification';
import { DUTCH_LAKES, DUTCH_RIVERS } from './dutch-water.ts';
import { MAX_ZOOM, TILE_SIZE_PX, type TileAddress } from './mercator.ts';

/** One shape in a tile, as SVG path data in tile pixels. A hole in the land is a ring inside a ring. */
export type OutlinePart = {
  readonly kind: 'land' | 'lake' | 'river' | 'border';
  readonly path: string;
  /** Width of the river; undefined for other kinds. */
  readonly widthMetres?: number;
};

type Atlas = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

/** Number of coordinate units in a pixel: geojson-vt gives coordinates as whole numbers, here tenths of a pixel. */
const UNITS_PER_PX = 10;
/** Lines are cut at this distance outside the tile, in pixels: half the width of the widest river. */
export const MARGIN_PX = 16;
/**
 * Maximum number of tiles in the index. The index keeps every tile that was cut from it, about 2 KB each. When it has more tiles than
 * this, it is built again, without tiles.
 */
const MAX_TILES = 30_000;

/**
 * Returns a function that gives the outline of the world in a tile: Natural Earth 1:10m (public domain) as packed by world-atlas 2,
 * and waters that were entered by hand (dutch-water.ts). The points lie on a lattice of 0.0036 by 0.0017 degrees (about 250 m in
 * the Netherlands), so the outline looks angular beyond zoom 12. The first call reads world-atlas (about 0.7 s). The function rejects
 * when world-atlas cannot be read.
 */
export function openWorldOutline(): (tile: TileAddress) => Promise<OutlinePart[]> {
  let index: Promise<GeoJSONVT> | undefined;
  return async ({ z, x, y }) => {
    index ??= readIndex();
    const { tileCoords } = await index;
    if (tileCoords.length > MAX_TILES) index = readIndex();
    const tile = (await index).getTileRaw(z, x, y);
    return (tile?.features ?? []).flatMap((part) =>
      part.type === 2 || part.type === 3
        ? [{ ...(part.tags as Omit<OutlinePart, 'path'>), path: pathOf(part.geometry, part.type === 3) }]
        : [],
    );
  };
}

async function readIndex(): Promise<GeoJSONVT> {
  const file = fileURLToPath(import.meta.resolve('world-atlas/countries-10m.json'));
  const atlas = JSON.parse(await readFile(file, 'utf8')) as Atlas;
  const land = feature(atlas, atlas.objects.land.geometries[0] as MultiPolygon).geometry.coordinates;
  const features: Feature[] = [
    {
      type: 'Feature',
      properties: { kind: 'land' },
      geometry: { type: 'MultiPolygon', coordinates: land.map((rings) => rings.map(unrolled)) },
    },
    {
      type: 'Feature',
      properties: { kind: 'border' },
      geometry: mesh(atlas, atlas.objects.countries, (one, other) => one !== other),
    },
    ...DUTCH_LAKES,
    ...DUTCH_RIVERS,
  ];
  return new GeoJSONVT(
    { type: 'FeatureCollection', features },
    {
      maxZoom: MAX_ZOOM,
      indexMaxZoom: 0,
      extent: TILE_SIZE_PX * UNITS_PER_PX,
      buffer: MARGIN_PX * UNITS_PER_PX,
      tolerance: 0.3 * UNITS_PER_PX,
    },
  );
}

/**
 * Returns the points of a closed ring on the globe for the flat map. A ring that crosses the 180th meridian continues beyond the edge of
 * the map instead of jumping to the other edge; the index moves what is beyond to that other edge. A ring around the south pole is closed
 * along the southern edge.
 */
function unrolled(ring: Position[]): Position[] {
  // Two points more than 180 degrees apart in longitude are on different sides of the 180th meridian.
  const jumps = (at: number) => Math.round((ring[at]![0]! - (ring[at - 1] ?? ring[at])![0]!) / 360);
  if (!ring.some((_, at) => jumps(at) !== 0)) return ring;
  let turn = 0;
  const flat = ring.map(([longitude = 0, latitude = 0], at) => {
    turn -= 360 * jumps(at);
    return [longitude + turn, latitude];
  });
  const [first = [], last = []] = [flat[0], flat.at(-1)];
  return turn === 0 ? flat : [...flat, [last[0]!, -90], [first[0]!, -90], first];
}

function pathOf(lines: readonly ArrayLike<number>[], isClosed: boolean): string {
  let path = '';
  for (const points of lines) {
    for (let at = 0; at < points.length; at += 2) {
      path += `${at === 0 ? 'M' : 'L'}${points[at]! / UNITS_PER_PX} ${points[at + 1]! / UNITS_PER_PX}`;
    }
    if (isClosed) path += 'Z';
  }
  return path;
}
