import { expect, test } from 'vitest';
import { isDayProvisional } from './provisional.ts';

const END = Date.UTC(2026, 5, 10);
const MINUTE = 60_000;
const DAY = 86_400_000;
const NOWHERE = Number.POSITIVE_INFINITY;

test.each<[boolean, string, newest: number, uncounted: number, after: number]>([
  [true, 'the newest reading is 10 min past it but for a ms', END + 10 * MINUTE - 1, NOWHERE, DAY],
  [false, 'the newest reading is 10 min past it', END + 10 * MINUTE, NOWHERE, DAY],
  [true, 'nothing came for a week but for a ms', END - DAY, NOWHERE, 7 * DAY - 1],
  [false, 'nothing came for a week', END - DAY, NOWHERE, 7 * DAY],
  [true, 'it is counted anew', END + DAY, END - 1, 30 * DAY],
  [false, 'later days are counted anew', END + DAY, END, 30 * DAY],
  [false, 'the machine never reported', Number.NEGATIVE_INFINITY, NOWHERE, 0],
])('mayChange returns %j for a day when %s (14.3g)', (expected, _, newest, uncounted, after) => {
  expect(isDayProvisional({ newest, uncounted }, END, END + after)).toBe(expected);
});
