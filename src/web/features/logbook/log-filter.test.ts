import { expect, test } from 'vitest';
import { csvPath, type LogPageFilter, logFilterFromUrl, logQueryOf, logSearchOf } from './log-filter.ts';

const FULL: LogPageFilter = {
  person: 12,
  machine: 'KG-80 7',
  kind: 'machine',
  from: Date.UTC(2026, 9, 31, 23),
  to: Date.UTC(2026, 10, 22, 19, 30),
};

test('the filter of the log is written to the address and read back (13.9e)', () => {
  const address = '?soort=machine&persoon=12&machine=KG-80+7&van=2026-11-01T00:00&tot=2026-11-22T20:30';
  expect(logSearchOf(FULL)).toBe(address);
  expect(logFilterFromUrl(new URLSearchParams(address))).toEqual(FULL);
  expect(logSearchOf({})).toBe('');
  expect(logFilterFromUrl(new URLSearchParams(''))).toEqual({});
});

test('invalid values in the address of the log are ignored (13.9e)', () => {
  expect(
    logFilterFromUrl(
      new URLSearchParams('?soort=constructor&persoon=-1&machine=+&van=gisteren&tot=2026-13-01'),
    ),
  ).toEqual({});
});

test('the path of the log’s CSV file contains the filter of the page (13.9f)', () => {
  expect(csvPath({})).toBe('/api/log/csv');
  expect(csvPath({ kind: 'view', from: FULL.from as number })).toBe(
    '/api/log/csv?kind=view&from=2026-10-31T23%3A00%3A00.000Z',
  );
  expect(logQueryOf(FULL).to).toBe('2026-11-22T19:30:00.000Z');
});
