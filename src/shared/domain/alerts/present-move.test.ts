import { expect, test } from 'vitest';
import { placeNamer } from '../place-text.ts';
import { largestDistanceReached, type PresentMove, presentMoveText } from './present-move.ts';

const NOW = Date.parse('2026-11-20T22:20:00+01:00');
const LEFT = { lat: 52.09, lon: 5.12 };
const move = (more: Partial<PresentMove> = {}): PresentMove => ({
  left: LEFT,
  position: { lat: 52.155, lon: 5.387, at: NOW - 20_000 },
  place: { kind: 'town', name: 'Amersfoort' },
  speed: { value: 45, time: NOW - 20_000 },
  motorSpeed: { value: 1200, time: NOW - 20_000 },
  ...more,
});

test.each<[string, Partial<PresentMove>, string]>([
  ['drives with its motor', {}, '19,6 km verplaatst, rijdt 45 km/u, in Amersfoort'],
  [
    'is carried with its motor off',
    { motorSpeed: { value: 0, time: NOW } },
    '19,6 km verplaatst, wordt vervoerd, 45 km/u, in Amersfoort',
  ],
  ['stands still', { speed: { value: 0, time: NOW } }, '19,6 km verplaatst, staat stil, in Amersfoort'],
  ['has no speed', { speed: undefined }, '19,6 km verplaatst, in Amersfoort'],
  [
    'is on a project',
    { place: { kind: 'project', name: 'Sluis' } },
    '19,6 km verplaatst, rijdt 45 km/u, op project Sluis',
  ],
  [
    'is on a terrein',
    { place: { kind: 'terrein', name: 'Werf Noord' } },
    '19,6 km verplaatst, rijdt 45 km/u, op terrein Werf Noord',
  ],
  [
    'is in a tunnel, without a position for more than 5 minutes',
    { position: { lat: 52.155, lon: 5.387, at: NOW - 6 * 60_000 } },
    '19,6 km verplaatst, om 22:14 nog in Amersfoort',
  ],
])('the text of a move of a machine that %s (53.7)', (_, more, words) => {
  expect(presentMoveText(move(more), NOW)).toBe(words);
});

test('the text of a move far from any town names the distance to the nearest town (53.7)', () => {
  const position = { lat: 52.25, lon: 5.75, at: NOW };
  const place = placeNamer([], [])(position, NOW);
  expect(presentMoveText(move({ position, place }), NOW)).toMatch(
    /^\d+,\d km verplaatst, rijdt 45 km\/u, \d+ km van \S+$/,
  );
});

test('largestDistanceReached returns 1 km or 10 km, the largest of these that a move has reached (53.7)', () => {
  expect([999, 1_000, 9_999, 10_000, 80_000].map(largestDistanceReached)).toEqual([
    undefined,
    1_000,
    1_000,
    10_000,
    10_000,
  ]);
});
