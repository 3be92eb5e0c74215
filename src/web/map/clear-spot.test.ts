import { describe, expect, test } from 'vitest';
import { findClearSpot, maxClearHeight, type PixelRect } from './clear-spot.ts';

const BOUNDS: PixelRect = { left: 0, top: 0, right: 1000, bottom: 800 };
const BOX = { width: 200, height: 300 };
const FILTER: PixelRect = { left: 0, top: 700, right: 420, bottom: 800 };
const PANEL: PixelRect = { left: 740, top: 400, right: 1000, bottom: 800 };
const OBSTACLES = [FILTER, PANEL];

const covers = (a: PixelRect, b: PixelRect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe('findClearSpot', () => {
  test('does not move a box that covers no obstacle', () => {
    expect(findClearSpot(BOX, { x: 300, y: 100 }, BOUNDS, OBSTACLES)).toEqual({ x: 300, y: 100 });
  });

  test.each([
    ['the left edge', { x: -50, y: 100 }, { x: 0, y: 100 }],
    ['the top edge', { x: 300, y: -120 }, { x: 300, y: 0 }],
    ['the right edge', { x: 900, y: 50 }, { x: 800, y: 50 }],
    ['the filter', { x: 100, y: 450 }, { x: 100, y: 400 }],
    ['the panel, to its left', { x: 600, y: 300 }, { x: 540, y: 300 }],
    ['the panel, to above it', { x: 780, y: 120 }, { x: 780, y: 100 }],
  ])('moves a box off %s by the shortest way', (_, wanted, expected) => {
    expect(findClearSpot(BOX, wanted, BOUNDS, OBSTACLES)).toEqual(expected);
  });

  test('moves a box that is far away to the nearest clear place', () => {
    const { x, y } = findClearSpot(BOX, { x: 5000, y: 5000 }, BOUNDS, OBSTACLES);
    const box = { left: x, top: y, right: x + 200, bottom: y + 300 };
    expect(OBSTACLES.some((one) => covers(box, one))).toBe(false);
    expect([x, y]).toEqual([540, 500]);
  });

  test('keeps the top of a box in view if the box fits nowhere', () => {
    expect(findClearSpot({ width: 200, height: 900 }, { x: 300, y: 500 }, BOUNDS, OBSTACLES).y).toBe(0);
  });

  test('chooses the place with the least overlap if no place is clear of obstacles', () => {
    const bar: PixelRect = { left: 0, top: 200, right: 1000, bottom: 800 };
    expect(findClearSpot(BOX, { x: 300, y: 400 }, BOUNDS, [bar])).toEqual({ x: 300, y: 0 });
  });
});

describe('maxClearHeight', () => {
  test.each([
    ['nothing', [], 800],
    ['an obstacle on either side of a column', OBSTACLES, 800],
    ['a bar along the bottom', [{ left: 0, top: 600, right: 1000, bottom: 800 }], 600],
    ['a bar in the middle', [{ left: 0, top: 300, right: 1000, bottom: 350 }], 450],
  ])('returns the height of the highest box beside %s', (_, obstacles: readonly PixelRect[], expected) => {
    expect(maxClearHeight(200, BOUNDS, obstacles)).toBe(expected);
  });
});
