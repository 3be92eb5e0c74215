import { describe, expect, test } from 'vitest';
import { rowAfterKey, rowsToDraw } from './list-window.ts';

describe('rowsToDraw', () => {
  test.each([
    // scrollTop, viewHeight, count, from, to
    ['at the top', 0, 256, 10_000, 0, 12],
    ['in the middle', 44 * 5000 + 10, 256, 10_000, 4994, 5013],
    ['at the end', 44 * 10_000 - 256, 256, 10_000, 9988, 10_000],
    ['scrolled beyond the end, after the list became shorter', 44 * 9000, 256, 20, 20, 20],
    ['pulled above the top, as a phone does', -80, 256, 10_000, 0, 12],
    ['fewer rows than fit', 0, 256, 3, 0, 3],
    ['no rows', 0, 256, 0, 0, 0],
    ['not measured yet', 0, 0, 10_000, 0, 6],
  ])('MAP-13 only the rows in view and a few more exist: %s', (_, scrollTop, viewHeight, count, from, to) => {
    expect(rowsToDraw(scrollTop, viewHeight, 44, count)).toEqual({ from, to });
  });
});

describe('rowAfterKey', () => {
  test.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 99, 99],
    ['ArrowUp', 5, 4],
    ['ArrowUp', 0, 0],
    ['PageDown', 0, 5],
    ['PageDown', 98, 99],
    ['PageUp', 7, 2],
    ['PageUp', 2, 0],
    ['Home', 50, 0],
    ['End', 50, 99],
    ['Tab', 50, undefined],
    ['a', 50, undefined],
  ])('MAP-13 %s on row %i of 100 goes to %s', (key, at, to) => {
    expect(rowAfterKey(key, at, 100, 5)).toBe(to);
  });

  test('MAP-13 an empty list has nowhere to go', () => {
    expect(rowAfterKey('End', 0, 0, 5)).toBeUndefined();
  });
});
