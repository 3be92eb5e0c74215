import sharp from 'sharp';
import { clipLine, clipRing } from './clip.ts';
import { dutchLakes, dutchRivers } from './dutch-water.ts';
import { gridCrossings, gridLines, gridStep, whereabouts } from './grid.ts';
import { type Lettering, letteringOf } from './labels.ts';
import { TILE_SIZE_PX, type TileAddress, tileBox, type WorldBox, worldSizePx } from './mercator.ts';
import { loadOutline, type Outline, type Shape, shapesIn } from './outline.ts';
import type { Palette } from './palette.ts';
import { createRegions } from './regions.ts';
import { textSvg, textWidthPx } from './stroke-font.ts';

/** Draws the built-in map. */
export type BuiltInMap = {
  /** A tile as a PNG of 256 x 256 pixels. The address must exist (isTile). */
  readonly render: (tile: TileAddress, palette: Palette) => Promise<Buffer>;
};

/** Strokes reach over the tile's edge; what they follow is cut this far outside it. */
const MARGIN_PX = 6;
const LAKES_FROM_ZOOM = 5;
const RIVERS_FROM_ZOOM = 7;
/** Beyond it our hand-written river points are visibly off. */
const RIVERS_TO_ZOOM = 11;
const GRID_FROM_ZOOM = 9;
const WHEREABOUTS_FROM_ZOOM = 12;
const HINT_CAP_PX = 6.5;
/** Metres per pixel at zoom 0 on the latitude of Utrecht. */
const METRES_PER_PX = (40_075_017 / TILE_SIZE_PX) * Math.cos((52.1 * Math.PI) / 180);

/**
 * A map without any service: land, borders and names. The outline is read at the first tile (some 0.3 s once).
 * Rejects only when the package world-atlas cannot be read or sharp fails.
 */
export function createBuiltInMap(): BuiltInMap {
  let outlineOf: Promise<(tile: TileAddress) => Outline> | undefined;
  const letterings = new Map<number, Lettering>();
  return {
    async render(tile, palette) {
      outlineOf ??= loadOutline().then(createRegions);
      const lettering = letterings.get(tile.z) ?? letteringOf(tile.z);
      letterings.set(tile.z, lettering);
      const outline = (await outlineOf)(tile);
      const svg = tileSvg(tile, palette, outline, lettering);
      return sharp(Buffer.from(svg)).removeAlpha().png({ compressionLevel: 6 }).toBuffer();
    },
  };
}

/** The tile as an SVG document. */
export function tileSvg(tile: TileAddress, palette: Palette, outline: Outline, lettering: Lettering): string {
  const box = tileBox(tile, MARGIN_PX);
  const parts = [
    `<rect width="256" height="256" fill="${palette.water}"/>`,
    `<path d="${area(outline.land, tile, box)}" fill="${palette.land}" fill-rule="evenodd" stroke="${palette.coast}"/>`,
    tile.z >= LAKES_FROM_ZOOM
      ? `<path d="${area(dutchLakes, tile, box)}" fill="${palette.water}" stroke="${palette.coast}"/>`
      : '',
    ...rivers(tile, palette),
    tile.z >= GRID_FROM_ZOOM ? grid(tile, palette) : '',
    `<path d="${lines(outline.borders, tile, box)}" fill="none" stroke="${palette.border}" stroke-width="${tile.z < 6 ? 0.8 : 1.3}" stroke-linejoin="round"/>`,
    tile.z >= WHEREABOUTS_FROM_ZOOM ? hints(tile, palette) : '',
    names(tile, palette, lettering),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">${parts.join('')}</svg>`;
}

function area(shapes: readonly Shape[], tile: TileAddress, box: WorldBox): string {
  return shapesIn(shapes, box)
    .map((shape) => pathOf(clipRing(shape.points, box), tile, 'Z'))
    .join('');
}

function lines(shapes: readonly Shape[], tile: TileAddress, box: WorldBox): string {
  return shapesIn(shapes, box)
    .flatMap((shape) => clipLine(shape.points, box))
    .map((piece) => pathOf(piece, tile, ''))
    .join('');
}

/** World points as path data in tile pixels, to a tenth; a point on the same tenth as the last is left out. */
function pathOf(points: readonly number[], tile: TileAddress, close: 'Z' | ''): string {
  const size = worldSizePx(tile.z);
  let path = '';
  let last = '';
  for (let at = 0; at < points.length; at += 2) {
    const x = Math.round((points[at]! * size - tile.x * TILE_SIZE_PX) * 10) / 10;
    const y = Math.round((points[at + 1]! * size - tile.y * TILE_SIZE_PX) * 10) / 10;
    const point = `${x} ${y}`;
    if (point === last) continue;
    path += (path === '' ? 'M' : 'L') + point;
    last = point;
  }
  return path === '' ? '' : path + close;
}

function rivers(tile: TileAddress, palette: Palette): string[] {
  if (tile.z < RIVERS_FROM_ZOOM || tile.z > RIVERS_TO_ZOOM) return [];
  return dutchRivers.map(({ shape, widthMetres }) => {
    const widthPx = Math.max(1.2, (widthMetres / METRES_PER_PX) * 2 ** tile.z);
    const path = lines([shape], tile, tileBox(tile, MARGIN_PX + widthPx));
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

/** At large zooms the outline says little: a cross here and there, and where it is. */
function hints(tile: TileAddress, palette: Palette): string {
  const step = gridStep(tile.z, 250);
  let crosses = '';
  let texts = '';
  for (const { longitude, latitude, x, y } of gridCrossings(tile, step, TILE_SIZE_PX)) {
    const text = whereabouts(longitude, latitude, step < 0.02 ? 1 : 0);
    if (text === undefined) continue;
    crosses += `M${(x - 5).toFixed(1)} ${y.toFixed(1)}h10m-5-5v10`;
    texts += textSvg(text, x - textWidthPx(text, HINT_CAP_PX) / 2, y + 19, HINT_CAP_PX);
  }
  return `<path d="${crosses}" stroke="${palette.faintInk}"/>${written(texts, palette.faintInk, palette.land, 1)}`;
}

function names(tile: TileAddress, palette: Palette, { labels, dots }: Lettering): string {
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
      .map(({ text, x, y, capPx, spacing }) => textSvg(text, x - left, y - top, capPx, spacing))
      .join('');
  const circles = dots
    .filter(({ x, y }) => isNear(x, y))
    .map(({ x, y }) => `<circle cx="${(x - left).toFixed(1)}" cy="${(y - top).toFixed(1)}" r="2.2"/>`)
    .join('');
  return [
    written(write('country'), palette.faintInk, palette.land, 1),
    `<g fill="${palette.ink}" stroke="${palette.land}" stroke-width="1.2">${circles}</g>`,
    written(write('place'), palette.ink, palette.land, 1.15),
  ].join('');
}

/** Text twice: wide in the colour of the land so that lines do not run through it, then the letters. */
function written(texts: string, ink: string, halo: string, strokeUnits: number): string {
  if (texts === '') return '';
  const stroke = (colour: string, width: number, opacity: number) =>
    `<g fill="none" stroke="${colour}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linecap="round" stroke-linejoin="round">${texts}</g>`;
  return stroke(halo, strokeUnits + 2.6, 0.8) + stroke(ink, strokeUnits, 1);
}
