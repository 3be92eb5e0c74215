import { expect, test } from 'vitest';
import { rowsInSight } from './visible-rows.ts';

test.each([
  // scrollTop, height, rows, always → first, last, how many
  ['at the top', 0, 500, 1000, -1, 0, 15, 16],
  ['in the middle', 5000, 500, 1000, -1, 94, 115, 22],
  ['at the end', 49_500, 500, 1000, -1, 984, 999, 16],
  ['scrolled past a list that became shorter', 49_500, 500, 10, 9, 9, 9, 1],
  ['bounced above the top', -80, 500, 1000, -1, 0, 14, 15],
  ['fewer than fit', 0, 500, 3, -1, 0, 2, 3],
])(
  'APP-10 ten thousand machines draw a handful of rows: %s',
  (_, top, height, count, always, first, last, drawn) => {
    const rows = rowsInSight(top, height, 50, count, always);
    expect(rows).toHaveLength(drawn);
    expect([rows[0], rows.at(-1)]).toEqual([first, last]);
    expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
  },
);

test('APP-10 an empty list draws nothing', () => expect(rowsInSight(0, 500, 50, 0, -1)).toEqual([]));

test.each([
  ['above', 2, 0],
  ['below', 900, -1],
])('APP-09 the row with the focus stays, %s the rows in sight', (_, focused, place) => {
  const rows = rowsInSight(5000, 500, 50, 1000, focused);
  expect(rows).toHaveLength(23);
  expect(rows.at(place)).toBe(focused);
});

test('APP-09 a row with the focus that is no longer there is not drawn', () => {
  expect(rowsInSight(0, 500, 50, 10, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
