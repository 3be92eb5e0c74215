import { expect, test } from 'vitest';
import { type Freshness, freshnessOf, isStale } from './staleness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);
const secondsAgo = (seconds: number) => NOW / 1000 - seconds;

test.each<[string, number | undefined, boolean]>([
  ['just now', secondsAgo(0), false],
  ['exactly 10 minutes', secondsAgo(600), false],
  ['a second more', secondsAgo(601), true],
  ['a millisecond more', secondsAgo(600.001), true],
  ['a logger clock that runs ahead', secondsAgo(-300), false],
  ['never seen', 0, true],
  ['unknown', undefined, true],
  ['NaN', Number.NaN, true],
])(
  'isStale returns whether the newest reading is older than 10 minutes: %s (LIVE-07)',
  (_name, lastSeen, expected) => {
    expect(isStale(lastSeen, NOW)).toBe(expected);
  },
);

test.each<[string, number | undefined, Freshness]>([
  ['a minute ago', secondsAgo(60), 'fresh'],
  ['a clock that runs ahead', secondsAgo(-300), 'fresh'],
  ['11 minutes ago', secondsAgo(660), 'stale'],
  ['in 1970', 1, 'stale'],
  ['GMT_UNIX 0', 0, 'never'],
  ['a negative time', -1, 'never'],
  ['NaN', Number.NaN, 'never'],
  ['no time', undefined, 'never'],
])(
  'sightingOf distinguishes a machine that was never seen from a silent one: %s (54.5b)',
  (_name, lastSeen, expected) => {
    expect(freshnessOf(lastSeen, NOW)).toBe(expected);
  },
);
