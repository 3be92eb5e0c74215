import sharp from 'sharp';
import { gridCrossings, gridLines, gridStep, relativePositionText } from './grid.ts';
import { type MapLettering, placeMapLabels } from './labels.ts';
import { TILE_SIZE_PX, type TileAddress } from './mercator.ts';
import { type OutlinePart, openWorldOutline } from './outline.ts';
import type { Palette } from './palette.ts';
import { textToSvgPath, textWidthPx } from './text-path.ts';

/** Draws the built-in map. */
export type BuiltInMap = {
  /** Draws a tile. @param tile a valid address (isValidTileAddress) @returns a PNG of 256 x 256 pixels */
  readonly render: (tile: TileAddress, palette: Palette) => Promise<Buffer>;
};

/** Width of the strip around a tile whose places are drawn too, because their dots and halos may extend into the tile. */
const MARGIN_PX = 6;
const LAKES_FROM_ZOOM = 5;
const RIVERS_FROM_ZOOM = 7;
/** Rivers are drawn up to this zoom: at larger zooms their hand-written points are visibly inaccurate. */
const RIVERS_TO_ZOOM = 11;
const GRID_FROM_ZOOM = 9;
const WHEREABOUTS_FROM_ZOOM = 12;
const HINT = { capPx: 7 };
/** Metres per pixel at zoom 0 at the latitude of Utrecht. */
const METRES_PER_PX = (40_075_017 / TILE_SIZE_PX) * Math.cos((52.1 * Math.PI) / 180);

/**
 * Returns a map that needs no tile service: land, borders and names. Reads the outline of the world when the first tile is drawn.
 * `render` rejects only when the package world-atlas cannot be read or sharp fails.
 */
export function createBuiltInMap(): BuiltInMap {
  const outlineOf = openWorldOutline();
  const letterings = new Map<number, MapLettering>();
  return {
    async render(tile, palette) {
      const lettering = letterings.get(tile.z) ?? placeMapLabels(tile.z);
      letterings.set(tile.z, lettering);
      const svg = tileSvg(tile, palette, await outlineOf(tile), lettering);
      return sharp(Buffer.from(svg)).removeAlpha().png({ compressionLevel: 6 }).toBuffer();
    },
  };
}

/** Returns the tile as an SVG document. */
export function tileSvg(
  tile: TileAddress,
  palette: Palette,
  outline: readonly OutlinePart[],
  lettering: MapLettering,
): string {
  const pathOf = (kind: OutlinePart['kind']) =>
    outline.map((part) => (part.kind === kind ? part.path : '')).join('');
  const parts = [
    `<rect width="256" height="256" fill="${palette.water}"/>`,
    `<path d="${pathOf('land')}" fill="${palette.land}" fill-rule="evenodd" stroke="${palette.coast}"/>`,
    tile.z >= LAKES_FROM_ZOOM
      ? `<path d="${pathOf('lake')}" fill="${palette.water}" stroke="${palette.coast}"/>`
      : '',
    ...rivers(tile, palette, outline),
    tile.z >= GRID_FROM_ZOOM ? grid(tile, palette) : '',
    `<path d="${pathOf('border')}" fill="none" stroke="${palette.border}" stroke-width="${tile.z < 6 ? 0.8 : 1.3}" stroke-linejoin="round"/>`,
    tile.z >= WHEREABOUTS_FROM_ZOOM ? hints(tile, palette) : '',
    names(tile, palette, lettering),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">${parts.join('')}</svg>`;
}

function rivers({ z }: TileAddress, palette: Palette, outline: readonly OutlinePart[]): string[] {
  if (z < RIVERS_FROM_ZOOM || z > RIVERS_TO_ZOOM) return [];
  return outline.map(({ path, widthMetres }) => {
    if (widthMetres === undefined) return '';
    const widthPx = Math.max(1.2, (widthMetres / METRES_PER_PX) * 2 ** z);
    return `<path d="${path}" fill="none" stroke="${palette.water}" stroke-width="${widthPx.toFixed(1)}" stroke-linejoin="round" stroke-linecap="round"/>`;
  });
}

function grid(tile: TileAddress, palette: Palette): string {
  const { meridians, parallels } = gridLines(tile, gridStep(tile.z, 64));
  const path = [
    ...meridians.map(({ x }) => `M${x.toFixed(1)} 0V256`),
    ...parallels.map(({ y }) => `M0 ${y.toFixed(1)}H256`),
  ];
  return `<path d="${path.join('')}" stroke="${palette.grid}"/>`;
}

/** Draws crosses with their positions, such as '6 km NO van Amersfoort', at large zooms, where the outline shows little. */
function hints(tile: TileAddress, palette: Palette): string {
  const step = gridStep(tile.z, 250);
  let crosses = '';
  let texts = '';
  for (const { longitude, latitude, x, y } of gridCrossings(tile, step, TILE_SIZE_PX)) {
    const text = relativePositionText(longitude, latitude, step < 0.02 ? 1 : 0);
    if (text === undefined) continue;
    crosses += `M${(x - 5).toFixed(1)} ${y.toFixed(1)}h10m-5-5v10`;
    texts += textToSvgPath(text, x - textWidthPx(text, HINT) / 2, y + 19, HINT);
  }
  return `<path d="${crosses}" stroke="${palette.faintInk}"/>${written(texts, palette.faintInk, palette.land)}`;
}

function names(tile: TileAddress, palette: Palette, { labels, dots }: MapLettering): string {
  const left = tile.x * TILE_SIZE_PX;
  const top = tile.y * TILE_SIZE_PX;
  const isNear = (x: number, y: number) =>
    x > left - MARGIN_PX &&
    x < left + TILE_SIZE_PX + MARGIN_PX &&
    y > top - MARGIN_PX &&
    y < top + TILE_SIZE_PX + MARGIN_PX;
  const near = labels.filter(
    ({ box }) =>
      box.minX < left + TILE_SIZE_PX + MARGIN_PX &&
      box.maxX > left - MARGIN_PX &&
      box.minY < top + TILE_SIZE_PX + MARGIN_PX &&
      box.maxY > top - MARGIN_PX,
  );
  const write = (look: 'place' | 'country') =>
    near
      .filter((label) => label.look === look)
      .map(({ text, x, y, style }) => textToSvgPath(text, x - left, y - top, style))
      .join('');
  const circles = dots
    .filter(({ x, y }) => isNear(x, y))
    .map(({ x, y }) => `<circle cx="${(x - left).toFixed(1)}" cy="${(y - top).toFixed(1)}" r="2.2"/>`)
    .join('');
  return [
    written(write('country'), palette.faintInk, palette.land),
    `<g fill="${palette.ink}" stroke="${palette.land}" stroke-width="1.2">${circles}</g>`,
    written(write('place'), palette.ink, palette.land),
  ].join('');
}

/** Draws letters with a halo in the colour of the land, so that lines do not run through them. */
function written(letters: string, ink: string, halo: string): string {
  return `<path d="${letters}" fill="${ink}" stroke="${halo}" stroke-width="2.8" stroke-opacity="0.8" stroke-linejoin="round" paint-order="stroke"/>`;
}
