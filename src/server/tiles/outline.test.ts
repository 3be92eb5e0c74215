import { expect, test } from 'vitest';
import type { TileAddress } from './mercator.ts';
import { MARGIN_PX, type OutlinePart, openWorldOutline } from './outline.ts';

const outlineOf = openWorldOutline();
/** Tiles on the coast, on the border of the country, and at a corner of tiles of zoom 6. */
const TILES: readonly TileAddress[] = [
  { z: 0, x: 0, y: 0 },
  { z: 3, x: 4, y: 2 },
  { z: 7, x: 65, y: 42 },
  { z: 9, x: 262, y: 168 },
  { z: 10, x: 527, y: 335 },
  { z: 10, x: 528, y: 336 },
  { z: 11, x: 1061, y: 676 },
];
const nameOf = ({ z, x, y }: TileAddress) => `${z}/${x}/${y}`;

type Point = readonly [x: number, y: number];
/** Returns the rings or lines of a kind, in tile pixels. */
const linesOf = (parts: readonly OutlinePart[], kind: OutlinePart['kind']): Point[][] =>
  parts
    .filter((part) => part.kind === kind)
    .flatMap(({ path }) => path.split('M').slice(1))
    .map((line) =>
      line.split('L').map((point) => point.split(' ').map(Number.parseFloat) as [number, number]),
    );

/** Returns the area by the shoelace formula; holes have the opposite direction and are subtracted. */
const surface = (rings: readonly Point[][]): number =>
  Math.abs(
    rings
      .flatMap((ring) => ring.map((from, at) => [from, ring[(at + 1) % ring.length]!] as const))
      .reduce((sum, [[x1, y1], [x2, y2]]) => sum + (x1 * y2 - x2 * y1) / 2, 0),
  );

const SIDE_PX = 256 + 2 * MARGIN_PX;

test.each([
  ['in the middle of the land is land all over', { z: 12, x: 2109, y: 1348 }, SIDE_PX ** 2],
  ['on the sea has none', { z: 9, x: 260, y: 168 }, 0],
])('a tile %s (MAP-02)', async (_, tile, expected) => {
  expect(surface(linesOf(await outlineOf(tile), 'land'))).toBe(expected);
});

test.each(TILES.map((tile) => [nameOf(tile), tile] as const))(
  'in tile %s nothing is drawn farther out than its margin (MAP-02)',
  async (_, tile) => {
    const parts = await outlineOf(tile);
    const points = parts.flatMap(({ kind }) => linesOf(parts, kind)).flat(2);
    expect(points.length).toBeGreaterThan(3);
    expect(points.filter((value) => !(value >= -MARGIN_PX && value <= 256 + MARGIN_PX))).toEqual([]);
  },
);

/** Returns the y at which lines cross x = `at`, in ascending order. */
const crossings = (lines: readonly Point[][], at: number): number[] =>
  lines
    .flatMap((line) =>
      line.slice(1).flatMap(([x2, y2], n) => {
        const [x1, y1] = line[n]!;
        return x1 < at === x2 < at ? [] : [y1 + ((y2 - y1) * (at - x1)) / (x2 - x1)];
      }),
    )
    .filter((y) => y >= 0 && y <= 256)
    .sort((a, b) => a - b);

test.each([
  ['land', { z: 7, x: 65, y: 41 }],
  ['land', { z: 9, x: 261, y: 170 }],
  ['land', { z: 10, x: 531, y: 331 }],
  ['border', { z: 7, x: 66, y: 44 }],
  ['border', { z: 9, x: 263, y: 171 }],
] as const)('the lines of %s continue in the next tile (%o) (MAP-02, 11.7)', async (kind, tile) => {
  const here = crossings(linesOf(await outlineOf(tile), kind), 256);
  const next = crossings(linesOf(await outlineOf({ ...tile, x: tile.x + 1 }), kind), 0);
  expect(here.length).toBeGreaterThan(0);
  expect(next).toHaveLength(here.length);
  for (const [n, y] of here.entries()) expect(Math.abs(next[n]! - y)).toBeLessThan(0.1);
});

test('a tile does not depend on the tiles that were requested before (MAP-02)', async () => {
  const other = openWorldOutline();
  for (const tile of TILES.toReversed()) expect(await other(tile)).toEqual(await outlineOf(tile));
});
