import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createBuiltInMap, tileSvg } from './built-in.ts';
import { placeMapLabels } from './labels.ts';
import { projectToMercator, type TileAddress } from './mercator.ts';
import { openWorldOutline } from './outline.ts';
import { DARK, LIGHT } from './palette.ts';

const map = createBuiltInMap();

/** Returns the colour, as #rrggbb, of the built-in map at a position. */
async function colourAt(longitude: number, latitude: number, z: number, palette = LIGHT): Promise<string> {
  const { x, y } = projectToMercator(longitude, latitude);
  const [column, row] = [x * 2 ** z, y * 2 ** z];
  const tile = { z, x: Math.floor(column), y: Math.floor(row) };
  const pixels = await pixelsOf(await map.render(tile, palette));
  const at = (Math.floor((row - tile.y) * 256) * 256 + Math.floor((column - tile.x) * 256)) * 3;
  return `#${pixels.subarray(at, at + 3).toString('hex')}`;
}

function pixelsOf(image: Buffer): Promise<Buffer> {
  return sharp(image).removeAlpha().raw().toBuffer();
}

test('a built-in tile is a PNG of 256 by 256 (MAP-02)', async () => {
  const { format, width, height } = await sharp(await map.render({ z: 7, x: 65, y: 42 }, LIGHT)).metadata();
  expect({ format, width, height }).toEqual({ format: 'png', width: 256, height: 256 });
});

test.each([
  ['the Veluwe', 5.85, 52.3, 'land'],
  ['Flevoland', 5.6, 52.45, 'land'],
  ['the North Sea', 3.5, 52.5, 'water'],
  ['the IJsselmeer', 5.3, 52.82, 'water'],
  ['the Markermeer', 5.2, 52.52, 'water'],
  ['Germany', 8.4, 51.7, 'land'],
  ['the Wadden Sea', 5.2, 53.2, 'water'],
] as const)(
  'at zoom 7 and 8 the built-in map shows %s in its real position (MAP-02)',
  async (_, longitude, latitude, kind) => {
    expect(await colourAt(longitude, latitude, 7)).toBe(LIGHT[kind]);
    expect(await colourAt(longitude, latitude, 8)).toBe(LIGHT[kind]);
  },
);

test.each([
  ['Siberia, whose coast crosses the 180th meridian', 100, 66, 'land'],
  ['the far end of Siberia, beyond it', -176.5, 67.2, 'land'],
  ['the Atlantic on the same latitude', -35, 60, 'water'],
  ['the Pacific on the latitude of Fiji', -120, -17, 'water'],
  ['Antarctica', 60, -75, 'land'],
  ['the edge of the map towards the south pole', 60, -84.95, 'land'],
  ['the Caspian Sea, a hole in the land', 50.5, 42, 'water'],
] as const)(
  'on the world map (zooms 2 and 4) the colour is right for %s (MAP-02)',
  async (_, longitude, latitude, kind) => {
    expect(await colourAt(longitude, latitude, 2)).toBe(LIGHT[kind]);
    expect(await colourAt(longitude, latitude, 4)).toBe(LIGHT[kind]);
  },
);

test('the built-in map that replaces the satellite layer has the colours of the dark palette (MAP-02)', async () => {
  expect(await colourAt(5.85, 52.3, 7, DARK)).toBe(DARK.land);
});

test('at large zooms a tile without a coast shows land and a grid (MAP-02)', async () => {
  const seen = new Set<string>();
  const pixels = await pixelsOf(await map.render({ z: 15, x: 16866, y: 10801 }, LIGHT));
  for (let at = 0; at < pixels.length; at += 3) seen.add(pixels.subarray(at, at + 3).toString('hex'));
  expect(seen).toContain(LIGHT.land.slice(1));
  expect(seen).toContain(LIGHT.grid.slice(1));
});

test('names on built-in tiles are drawn as paths, so that no tile needs a font (MAP-02)', async () => {
  const tile: TileAddress = { z: 7, x: 65, y: 42 };
  const svg = tileSvg(tile, LIGHT, await openWorldOutline()(tile), placeMapLabels(7));
  expect(svg).not.toMatch(/<text|font/);
});
