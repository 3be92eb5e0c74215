import { expect, test } from 'vitest';
import { dateAndTime } from '#shared/domain/nl.ts';
import { addressTimeText, areRangesAlike, parseAddressRange, writeRange } from './range-address.ts';

test.each([
  ['start=2026-11-20T15:20Z&end=2026-11-21T15:20Z', '20-11-26, 16:20 tot 21-11-26, 16:20'],
  ['', undefined],
  ['start=2026-11-20T15:20Z', undefined],
  ['start=rubbish&end=2026-11-21T15:20Z', undefined],
])('the range of the address %j is %s (MDET-13)', (search, text) => {
  const range = parseAddressRange(new URLSearchParams(search));
  expect(range && `${dateAndTime(range.from)} tot ${dateAndTime(range.to)}`).toBe(text);
  if (range) {
    expect(`start=${addressTimeText(range.from)}&end=${addressTimeText(range.to)}`).toBe(search);
  }
});

test.each([
  [undefined, undefined, true],
  [undefined, { from: 0, to: 9 }, false],
  [{ from: 0, to: 9 }, { from: 0, to: 14 * 60_000 }, true],
  [{ from: 0, to: 9 }, { from: 0, to: 16 * 60_000 }, false],
])('%j and %j are the same choice: %s (MDET-13)', (a, b, alike) => expect(areRangesAlike(a, b)).toBe(alike));

test('a range can be written to an address, read from it and removed (15.6c)', () => {
  const search = new URLSearchParams('organization=spoor');
  const range = { from: Date.UTC(2026, 2, 3, 8), to: Date.UTC(2026, 2, 3, 9) };
  writeRange(search, range);
  expect(parseAddressRange(search)).toEqual(range);
  writeRange(search, undefined);
  expect(search.toString()).toBe('organization=spoor');
});
