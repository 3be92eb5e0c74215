import { expect, test } from 'vitest';
import { NEW_FIGURES_STATE } from '#shared/domain/figures.ts';
import type { StreamState } from './stream-change.ts';
import { StreamStateCache } from './stream-state-cache.ts';

const state = (streamId: number, xmin: string, names = 1): StreamState => ({
  streamId,
  lastReceivedAt: 0,
  signals: Object.fromEntries(Array.from({ length: names }, (_, n) => [`Signal ${n}`, [n, 0]])),
  track: NEW_FIGURES_STATE,
  isOutdated: false,
  xmin,
});

test('the cache returns the state of a stream as it was committed (12.A3)', () => {
  const known = new StreamStateCache();
  expect(known.get(1)).toBeUndefined();
  known.keep([state(1, '10')], '11');
  expect(known.get(1)).toEqual(state(1, '11'));
});

test('the cache does not return a stream that another process has written, until a later commit finds no other write in between (12.A3)', () => {
  const known = new StreamStateCache();
  known.keep([state(1, '10')], '11');
  known.keep([state(1, '12')], '13');
  expect(known.get(1)).toBeUndefined();
  known.keep([state(1, '14')], '15');
  expect(known.get(1)).toBeUndefined();
  known.keep([state(1, '15')], '16');
  expect(known.get(1)?.xmin).toBe('16');
});

test('the cache drops its oldest streams when it has too many signals (12.A3)', () => {
  const known = new StreamStateCache(10);
  known.keep([state(1, '10', 4), state(2, '10', 4)], '11');
  known.keep([state(1, '11', 4)], '12');
  known.keep([state(3, '10', 6)], '13');
  expect([1, 2, 3].map((stream) => known.get(stream)?.xmin)).toEqual(['12', undefined, '13']);
  known.keep([state(4, '10', 11)], '14');
  expect([1, 3, 4].map((stream) => known.get(stream)?.xmin)).toEqual([undefined, undefined, undefined]);
});
