import { expect, test } from 'vitest';
import { cursorStopIndex, timeAfterKey, timesWithValues } from './chart-stops.ts';

const STOPS = [10, 20, 40, 80];

test('the stops of the cursor are the times at which at least one line has a value (15.5k)', () => {
  const line = (values: (number | null | undefined)[]) => ({ label: '', color: '', values });
  const lines = [line([1, null, null, undefined]), line([1, 2, null, 0])];
  expect(timesWithValues({ times: [10, 20, 30, 40], lines })).toEqual([10, 20, 40]);
});

test.each([
  [undefined, 'ArrowRight', 10],
  [undefined, 'ArrowLeft', 80],
  [20, 'ArrowRight', 40],
  [20, 'ArrowUp', 40],
  [20, 'ArrowLeft', 10],
  [20, 'ArrowDown', 10],
  // The cursor may be between two stops, because a mouse can place it anywhere.
  [30, 'ArrowRight', 40],
  [30, 'ArrowLeft', 20],
  [80, 'ArrowRight', 80],
  [10, 'ArrowLeft', 10],
  [5, 'ArrowLeft', 10],
  [99, 'ArrowRight', 80],
  [40, 'Home', 10],
  [20, 'End', 80],
  [10, 'PageUp', 80],
  [80, 'PageDown', 10],
  [20, 'Escape', undefined],
  [20, 'Tab', undefined],
])('with the cursor at %s, %s moves it to %s (15.5k)', (cursor, key, expected) => {
  expect(timeAfterKey(STOPS, cursor, key)).toBe(expected);
});

test('PageUp and PageDown move the cursor by ten stops, and without stops no key moves it (15.5k)', () => {
  const many = Array.from({ length: 50 }, (_, n) => n * 5);
  expect(timeAfterKey(many, 20, 'PageUp')).toBe(70);
  expect(timeAfterKey(many, 70, 'PageDown')).toBe(20);
  expect(timeAfterKey([], undefined, 'ArrowRight')).toBeUndefined();
});

test.each([
  [5, 0],
  [10, 0],
  [39, 1],
  [40, 2],
  [99, 3],
])('a cursor at %i is at stop %i (15.5k)', (cursor, index) => {
  expect(cursorStopIndex(STOPS, cursor)).toBe(index);
});
