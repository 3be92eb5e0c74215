import { clipLine, clipRing } from './clip.ts';
import { type TileAddress, tileBox } from './mercator.ts';
import { type Outline, type OutlineLevel, shape, shapesIn } from './outline.ts';

const REGION_ZOOM = 6;
/** A region is cut this much wider, so that its cut edges stay outside every tile in it. */
const REGION_MARGIN_PX = 8;
const MOST_REGIONS = 64;

/**
 * Answers the outline to draw a tile from. The coast of Eurasia is one ring of 80,000 points; tiles deeper than
 * zoom 6 are therefore drawn from what their ancestor at zoom 6 holds, which is cut once and remembered.
 */
export function createRegions(levels: readonly OutlineLevel[]): (tile: TileAddress) => Outline {
  const regions = new Map<string, Outline>();
  return ({ z, x, y }) => {
    const { outline } = levels.find(({ maxZoom }) => z <= maxZoom)!;
    if (z <= REGION_ZOOM) return outline;
    const up = 2 ** (z - REGION_ZOOM);
    const region = { z: REGION_ZOOM, x: Math.floor(x / up), y: Math.floor(y / up) };
    const key = `${region.x}/${region.y}`;
    const known = regions.get(key);
    if (known) return known;
    if (regions.size >= MOST_REGIONS) regions.clear();
    const cut = cutOut(outline, region);
    regions.set(key, cut);
    return cut;
  };
}

function cutOut({ land, borders }: Outline, region: TileAddress): Outline {
  const box = tileBox(region, REGION_MARGIN_PX);
  return {
    land: shapesIn(land, box)
      .map(({ points }) => clipRing(points, box))
      .filter((points) => points.length > 0)
      .map((points) => shape(Float32Array.from(points))),
    borders: shapesIn(borders, box)
      .flatMap(({ points }) => clipLine(points, box))
      .map((points) => shape(Float32Array.from(points))),
  };
}
