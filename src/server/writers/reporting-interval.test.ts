import { expect, test } from 'vitest';
import { isIntervalTooLong } from './reporting-interval.ts';

/** Returns times of values in ms, given the minutes between two successive values. */
const after = (...minutes: readonly number[]): number[] => {
  let at = 1_780_000_000_000;
  return [at, ...minutes.map((length) => (at += length * 60_000))];
};
const times = (n: number, minutes: number): number[] => Array(n).fill(minutes);
const EXACT_6 = 6;
const JUST_OVER_5 = 5 + 1 / 60_000;
const JUST_OVER_6 = 6 + 1 / 60_000;

test.each([
  ['no value', [], false],
  ['one value', after(), false],
  ['every 5.5 minutes', after(...times(10, 5.5)), true],
  ['too few to judge', after(...times(9, 5.5)), false],
  ['every 5 minutes: each counts whole', after(...times(50, 5)), false],
  ['5 minutes, give or take a second', after(...times(25, 4.99), ...times(25, 5.01)), true],
  ['a millisecond over 5 minutes', after(...times(10, JUST_OVER_5)), true],
  ['6 minutes', after(...times(10, EXACT_6)), true],
  ['a millisecond over 6 minutes: no interval, but silence', after(...times(10, JUST_OVER_6)), false],
  ['a tenth', after(...times(9, 1), 5.5), false],
  ['more than a tenth', after(...times(8, 1), 5.5, 5.5), true],
  ['every 10 seconds, and silence in between', after(...times(30, 1 / 6), 600, ...times(30, 1 / 6)), false],
])('isIntervalTooLong finds intervals too long for running hours: %s (12.C6)', (_what, values, tooLong) => {
  expect(isIntervalTooLong(values)).toBe(tooLong);
});
