import { expect, test } from 'vitest';
import type { Reading, Signals } from './signal.ts';
import { markUnused } from './unused-values.ts';
import { judgePositions, unusedPositionOf } from './usable-positions.ts';

const HOME = { LATITUDE: 52, LONGITUDE: 5 };
/** A position 200 km from HOME. */
const AWAY = { LATITUDE: 53.8, LONGITUDE: 5 };
const NULL_ISLAND = { LATITUDE: 0.001, LONGITUDE: 0.002 };

/** Returns readings at these places, by default one every 10 s. */
const readingsAt = (places: readonly Signals[], everyMs = 10_000): Reading[] =>
  places.map((signals, n) => ({ time: 1e12 + n * everyMs, signals }));
const times = (count: number, signals: Signals): Signals[] => Array.from({ length: count }, () => signals);
/** Returns a mark for each reading: `+` if its position counts, `-` if it does not. */
const marksOf = (readings: readonly Reading[]): string =>
  judgePositions(readings)
    .counts.map((counts) => (counts ? '+' : '-'))
    .join('');

test.each<[string, Signals[], string]>([
  ['one fix 200 km away', [...times(20, HOME), AWAY, HOME], `${'+'.repeat(20)}-+`],
  ['the newest one is 200 km away', [...times(20, HOME), AWAY], `${'+'.repeat(20)}-`],
  [
    'a fix near 0,0 now and then',
    [...times(3, HOME), NULL_ISLAND, ...times(3, HOME), NULL_ISLAND, HOME],
    '+++-+++-+',
  ],
  ['nothing but 0,0', times(3, NULL_ISLAND), '---'],
  [
    'no fix, too few satellites, too vague',
    [
      { ...HOME, QUALITY: 0 },
      { ...HOME, NUMBER_SATELLITES: 3 },
      { ...HOME, HORIZONTAL_ACCURACY: 100.1 },
      { ...HOME, QUALITY: 1, NUMBER_SATELLITES: 4, HORIZONTAL_ACCURACY: 100 },
    ],
    '---+',
  ],
  ['alternating two places', [HOME, AWAY, HOME, AWAY, HOME, AWAY], '------'],
  ['a start at a place of long ago', [AWAY, ...times(20, HOME)], `-${'+'.repeat(20)}`],
  [
    'two readings aside',
    [...times(20, HOME), AWAY, AWAY, ...times(20, HOME)],
    `${'+'.repeat(20)}--${'+'.repeat(20)}`,
  ],
  [
    'a jump that stays for 110 s so far',
    [...times(20, HOME), ...times(12, AWAY)],
    `${'+'.repeat(20)}${'-'.repeat(12)}`,
  ],
  ['a jump that stays for 2 minutes', [...times(20, HOME), ...times(13, AWAY)], '+'.repeat(33)],
])('positions count or are left unused: %s (42.20)', (_name, places, expected) => {
  expect(marksOf(readingsAt(places))).toBe(expected);
});

test('the positions after a jump count only if the machine stays there for 2 minutes and at least four readings (42.20)', () => {
  const aside = [
    ...readingsAt(times(20, HOME)),
    ...readingsAt([AWAY, AWAY, AWAY], 60_000).map(later(200_000)),
  ];
  expect(marksOf(aside)).toBe(`${'+'.repeat(20)}---`);
  expect(marksOf([...aside, ...readingsAt([AWAY]).map(later(380_000))])).toBe('+'.repeat(24));
});
const later =
  (ms: number) =>
  ({ time, signals }: Reading): Reading => ({ time: time + ms, signals });

test.each([
  ['one position per hour', 3_600_000, [HOME, AWAY, HOME], '+++'],
  ['a lorry at 140 km/h, one position per 290 s', 290_000, [HOME, { LATITUDE: 52.1, LONGITUDE: 5 }], '++'],
  ['two positions within a millisecond, 50 m apart', 1, [HOME, { LATITUDE: 52.00045, LONGITUDE: 5 }], '++'],
] as const)('positions that are no jump count: %s (42.20)', (_name, everyMs, places, expected) => {
  expect(marksOf(readingsAt(places, everyMs))).toBe(expected);
});

test('an unused position is stored under other names, from which its reason follows (42.20)', () => {
  const { readings } = markUnused(
    readingsAt([...times(20, HOME), { ...AWAY, Speed: 3 }, NULL_ISLAND, { ...HOME, QUALITY: 0 }]),
  );
  expect(readings.slice(20).map(({ signals }) => [signals, unusedPositionOf(signals)?.reason])).toEqual([
    [{ Speed: 3, 'Unused.LATITUDE': 53.8, 'Unused.LONGITUDE': 5 }, 'jump'],
    [{ 'Unused.LATITUDE': 0.001, 'Unused.LONGITUDE': 0.002 }, 'null-island'],
    [{ QUALITY: 0, 'Unused.LATITUDE': 52, 'Unused.LONGITUDE': 5 }, 'no-fix'],
  ]);
});
