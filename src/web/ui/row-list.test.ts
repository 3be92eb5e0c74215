import { describe, expect, test } from 'vitest';
import { rowAfterKey, rowsToDraw } from './row-list.tsx';

describe('rowsToDraw', () => {
  test.each([
    // Columns: topRow, rowsHigh, count; the expected first and last drawn row, and the expected number of drawn rows.
    ['at the top', 0, 10, 10_000, 0, 16, 17],
    ['at the top of a view that ends within a row', 0, 5.8, 10_000, 0, 12, 13],
    ['in the middle', 5000, 10, 10_000, 4994, 5016, 23],
    ['at the end', 9990, 10, 10_000, 9984, 9999, 16],
    ['scrolled past a list that became shorter', 990, 10, 20, 4, 19, 16],
    ['scrolled past a list that became shorter than the view', 990, 10, 3, 0, 2, 3],
    ['fewer rows than fit', 0, 10, 3, 0, 2, 3],
    ['not in sight at all', 0, 0, 10_000, 0, 6, 7],
  ])(
    'draws only the visible and spare rows of a list: %s (APP-10, MAP-13)',
    (_, topRow, rowsHigh, count, first, last, drawn) => {
      const rows = rowsToDraw(topRow, rowsHigh, count, -1);
      expect(rows).toEqual(Array.from({ length: drawn }, (_, index) => first + index));
      expect(rows.at(-1)).toBe(last);
    },
  );

  test('draws nothing for an empty list (APP-10, MAP-13)', () =>
    expect(rowsToDraw(0, 10, 0, -1)).toEqual([]));

  test.each([
    // Columns: focusedAt; the rows that are expected before and after rows 4994 to 5016.
    ['above the rows in sight', 2, [1, 2, 3], []],
    ['first of all', 0, [0, 1], []],
    ['just above the rows in sight', 4993, [4992, 4993], []],
    ['among the rows in sight', 5000, [], []],
    ['below the rows in sight', 9000, [], [8999, 9000, 9001]],
    ['last of all', 9999, [], [9998, 9999]],
    ['no longer there', 10_000, [], []],
  ])('keeps the focused row and its neighbours: %s (APP-09, MAP-13)', (_, focusedAt, above, below) => {
    const inSight = rowsToDraw(5000, 10, 10_000, -1);
    expect(rowsToDraw(5000, 10, 10_000, focusedAt)).toEqual([...above, ...inSight, ...below]);
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
  ])('%s on row %i of 100 moves the focus to %s (APP-09, MAP-13)', (key, at, to) => {
    expect(rowAfterKey(key, at, 100, 6.2)).toBe(to);
  });

  test('PageDown moves one row in a view of less than two rows (MAP-13)', () => {
    expect(rowAfterKey('PageDown', 4, 100, 1.5)).toBe(5);
  });

  test('returns undefined for an empty list (MAP-13)', () => {
    expect(rowAfterKey('End', 0, 0, 5)).toBeUndefined();
  });
});
