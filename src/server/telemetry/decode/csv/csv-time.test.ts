import { expect, test } from 'vitest';
import { readCsvNumber, readCsvTime } from './csv-time.ts';

const NOON = Date.UTC(2026, 2, 1, 12, 0, 0);

test.each<[string, number | 'no zone' | undefined]>([
  ['2026-03-01T12:00:00Z', NOON],
  ['2026-03-01 12:00:00Z', NOON],
  ['2026-03-01T12:00Z', NOON],
  ['2026-03-01T12:00:00 UTC', NOON],
  ['2026-03-01T13:00:00+01:00', NOON],
  ['2026-03-01T13:00:00+0100', NOON],
  ['2026-03-01T13:00:00+01', NOON],
  ['2026-03-01T06:30:00-05:30', NOON],
  ['2026-03-01T12:00:00.250Z', NOON + 250],
  ['2026-03-01T12:00:00,5Z', NOON + 500],
  ['2026-03-01T12:00:00.123456789Z', NOON + 123.456789],
  ['2026-03-01T12:00:00', 'no zone'],
  ['2026-03-01 12:00', 'no zone'],
  ['2026-02-30T12:00:00Z', undefined],
  ['2026-13-01T12:00:00Z', undefined],
  ['2026-03-01T24:30:00Z', undefined],
  ['2026-03-01', undefined],
  ['01-03-2026 12:00', undefined],
  [`${NOON / 1000}`, NOON],
  [`${NOON / 1000}.5`, NOON + 500],
  [`${NOON}`, NOON],
  [`${NOON}123`, NOON + 0.123],
  ['1953.6135', 1953613.5],
  ['1.7723664e9', 1772366400000],
  ['-5', undefined],
  ['1e17', undefined],
  ['', undefined],
  ['noon', undefined],
])('the time in a cell is parsed: %s (INGEST-05)', (cell, time) => {
  const read = readCsvTime(cell, false);
  if (typeof time === 'number') expect(read).toBeCloseTo(time, 3);
  else expect(read).toBe(time);
});

test.each<[string, boolean, number | undefined]>([
  ['1.5', false, 1.5],
  ['-0.25', false, -0.25],
  ['+3', false, 3],
  ['1e3', false, 1000],
  ['1,5', false, undefined],
  ['1,5', true, 1.5],
  ['1.5', true, 1.5],
  ['1.234,5', true, undefined],
  ['1,234,5', true, undefined],
  ['0x10', false, undefined],
  ['Infinity', false, undefined],
  ['1e999', false, undefined],
  ['NaN', false, undefined],
  ['true', false, undefined],
  ['', false, undefined],
])('the number in a cell is parsed: %s, decimal comma %s (INGEST-05)', (cell, decimalComma, number) => {
  expect(readCsvNumber(cell, decimalComma)).toBe(number);
});
