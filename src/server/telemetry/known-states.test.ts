import { expect, test } from 'vitest';
import { NEW_TRACK } from '#shared/domain/figures.ts';
import { KnownStates } from './known-states.ts';
import type { StreamState } from './stream-change.ts';

const state = (streamId: number, xmin: string, names = 1): StreamState => ({
  streamId,
  heardAt: 0,
  signals: Object.fromEntries(Array.from({ length: names }, (_, n) => [`Signal ${n}`, [n, 0]])),
  track: NEW_TRACK,
  isOutdated: false,
  xmin,
});

test('a stream is known as it was committed (12.A3)', () => {
  const known = new KnownStates();
  expect(known.get(1)).toBeUndefined();
  known.keep([state(1, '10')], '11');
  expect(known.get(1)).toEqual(state(1, '11'));
});

test('one that somebody else writes too is read each time, until it was found as it was left (12.A3)', () => {
  const known = new KnownStates();
  known.keep([state(1, '10')], '11');
  known.keep([state(1, '12')], '13');
  expect(known.get(1)).toBeUndefined();
  known.keep([state(1, '14')], '15');
  expect(known.get(1)).toBeUndefined();
  known.keep([state(1, '15')], '16');
  expect(known.get(1)?.xmin).toBe('16');
});

test('those that were kept longest ago are forgotten when there are too many signals (12.A3)', () => {
  const known = new KnownStates(10);
  known.keep([state(1, '10', 4), state(2, '10', 4)], '11');
  known.keep([state(1, '11', 4)], '12');
  known.keep([state(3, '10', 6)], '13');
  expect([1, 2, 3].map((stream) => known.get(stream)?.xmin)).toEqual(['12', undefined, '13']);
  known.keep([state(4, '10', 11)], '14');
  expect([1, 3, 4].map((stream) => known.get(stream)?.xmin)).toEqual([undefined, undefined, undefined]);
});
