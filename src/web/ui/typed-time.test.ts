import { expect, test } from 'vitest';
import { parseTypedClock, parseTypedDay, parseTypedMoment } from './typed-time.ts';

test.each([
  ['08:30', '08:30'],
  ['8:30', '08:30'],
  ['8.30', '08:30'],
  ['0830', '08:30'],
  ['830', '08:30'],
  [' 8 ', '08:00'],
  ['0:00', '00:00'],
  ['23:59', '23:59'],
  ['24:00', undefined],
  ['12:60', undefined],
  ['8:3', undefined],
  ['', undefined],
  ['acht uur', undefined],
])('typed as a time, %j is %s (MDET-13, APP-12)', (text, clock) => expect(parseTypedClock(text)).toBe(clock));

test.each([
  ['01-11-2026', '2026-11-01'],
  ['1-11-2026', '2026-11-01'],
  ['1/11/26', '2026-11-01'],
  [' 1.11.2026 ', '2026-11-01'],
  ['01112026', '2026-11-01'],
  ['2026-11-01', '2026-11-01'],
  ['29-02-2028', '2028-02-29'],
  ['29-02-2026', undefined],
  ['31-11-2026', undefined],
  ['11/23/2026', undefined],
  ['1-11', undefined],
  ['2026-11-1', undefined],
  ['', undefined],
  ['gisteren', undefined],
])('typed as a day, %j is %s (APP-12)', (text, day) => expect(parseTypedDay(text)).toBe(day));

test.each([
  ['01-11-2026 08:30', '2026-11-01 08:30:00'],
  ['1-11-26, 8:30', '2026-11-01 08:30:00'],
  ['2026-11-01 08:30:00', '2026-11-01 08:30:00'],
  ['01-11-2026', undefined],
  ['01-11-2026 25:00', undefined],
])('typed as a day and a time, %j is %s (APP-12)', (text, moment) =>
  expect(parseTypedMoment(text)).toBe(moment),
);
