import { expect, test } from 'vitest';
import { parseQueryTime, parseWindowMs } from './query-time.ts';

const NOW = Date.UTC(2026, 2, 29, 12);

test.each([
  ['-30d', NOW - 30 * 86_400_000],
  ['-24h', NOW - 86_400_000],
  ['-90m', NOW - 5_400_000],
  ['-0s', NOW],
  ['-520w', NOW - 520 * 604_800_000],
  ['2026-03-29T02:30:00+02:00', Date.UTC(2026, 2, 29, 0, 30)],
  ['2026-03-29T02:30:00 02:00', Date.UTC(2026, 2, 29, 0, 30)],
  ['2026-03-29T02:30:00+0200', Date.UTC(2026, 2, 29, 0, 30)],
  ['2025-04-12T08:00:00.000Z', Date.UTC(2025, 3, 12, 8)],
  ['2025-04-12T08:00z', Date.UTC(2025, 3, 12, 8)],
  ['2025-04-12T08:00:00.123456Z', Date.UTC(2025, 3, 12, 8, 0, 0, 123)],
  ['2028-02-29T00:00:00-00:30', Date.UTC(2028, 1, 29, 0, 30)],
])('%s is parsed as an instant (MDET-12, MDET-05)', (text, ms) => {
  expect(parseQueryTime(text, NOW)).toBe(ms);
});

test.each([
  '',
  'now',
  '30d',
  '-d',
  '-1.5h',
  '-30y',
  '-99999999d',
  '+1d',
  '2026-03-29T02:30:00',
  '2026-03-29',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-03-29T25:00:00Z',
  '2026-03-29T12:00:00+99:99',
  '1774785600',
  ' -30d',
  '-30d\n',
  "-30d' or 1=1",
])('%j is rejected as an instant (API-03)', (text) => {
  expect(parseQueryTime(text, NOW)).toBeUndefined();
});

test.each([
  ['300m', 18_000_000],
  ['5h', 18_000_000],
  ['1ms', 1],
  ['0m', 0],
  ['1d', 86_400_000],
  ['300', undefined],
  ['m', undefined],
  ['-5m', undefined],
  ['1.5h', undefined],
  ['9999999999m', undefined],
])('the window %s is parsed (MDET-05)', (text, ms) => {
  expect(parseWindowMs(text)).toBe(ms);
});
