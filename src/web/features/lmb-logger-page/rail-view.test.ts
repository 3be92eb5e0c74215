import { expect, test } from 'vitest';
import { momentInAddress, rangeInAddress } from './rail-view.ts';

const at = (iso: string): number => Date.parse(iso);
const NOW = at('2026-11-21T15:20Z');

test.each([
  [
    'start=2026-11-20T23:00Z&end=2026-11-21T23:00Z',
    { from: at('2026-11-20T23:00Z'), to: at('2026-11-21T23:00Z') },
  ],
  ['start=2026-11-21T10:00Z&end=2026-11-21T09:00Z', undefined],
  ['start=2026-11-21T10:00Z&end=2027-11-21T09:00Z', undefined],
  ['start=gisteren&end=2026-11-21T09:00Z', undefined],
  ['', undefined],
])('the range in the address %j is used only if it is valid (15.6c)', (search, range) =>
  expect(rangeInAddress(new URLSearchParams(search), NOW)).toEqual(range),
);

test.each([
  ['moment=2025-04-12T07%3A12%3A00Z', at('2025-04-12T07:12Z')],
  ['moment=straks', undefined],
  ['', undefined],
])('the slider’s moment is read from the address %j only if it is valid (15.6c)', (search, ms) =>
  expect(momentInAddress(new URLSearchParams(search))).toBe(ms),
);
