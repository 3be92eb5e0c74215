import { describe, expect, test } from 'vitest';
import type { Signals } from '#shared/domain/signal.ts';
import { countReplacement } from './replace-readings.ts';
import { signalsAfterRedecoding } from './replaced-signals.ts';

describe('signalsAfterRedecoding (12.C2)', () => {
  test.each<[string, Signals, Signals[], Signals[], Signals | undefined]>([
    ['another factor', { Soc1: 80 }, [{ Soc1: 80 }], [{ Soc1: 40 }], { Soc1: 40 }],
    ['another name', { Soc1: 80 }, [{ Soc1: 80 }], [{ Soc2: 80 }], { Soc2: 80 }],
    ['a name more', { Soc1: 80 }, [{ Soc1: 80 }], [{ Soc1: 80, Speed: 5 }], { Soc1: 80, Speed: 5 }],
    ['nothing any more', { Soc1: 80 }, [{ Soc1: 80 }], [], undefined],
    ['not there before', {}, [], [{ Soc1: 80 }], { Soc1: 80 }],
    ["a snapshot's other names stay", { Soc1: 80, Speed: 5 }, [{ Soc1: 80 }], [], { Speed: 5 }],
    [
      "a snapshot's value stays before the file's",
      { Soc1: 79 },
      [{ Soc1: 80 }],
      [{ Soc1: 40 }],
      { Soc1: 79 },
    ],
    [
      'of two files the first counts',
      { Soc1: 80 },
      [{ Soc1: 80 }, { Soc1: 81 }],
      [{ Soc1: 1 }, { Soc1: 2 }],
      { Soc1: 1 },
    ],
    [
      'of two files, the second by a new name',
      { Soc1: 7 },
      [{}, { Soc1: 7 }],
      [{ Soc1: 9 }, {}],
      { Soc1: 9 },
    ],
    ['the larger flag', { IsCharging1: 1 }, [], [{ IsCharging1: 0 }], { IsCharging1: 1 }],
    [
      'a whole position',
      { LATITUDE: 52, LONGITUDE: 5 },
      [{ LATITUDE: 52, LONGITUDE: 5 }],
      [{ LATITUDE: 53, LONGITUDE: 6 }],
      { LATITUDE: 53, LONGITUDE: 6 },
    ],
    [
      'half a position that is the same is none of it',
      { LATITUDE: 52, LONGITUDE: 5 },
      [{ LATITUDE: 52, LONGITUDE: 6 }],
      [{ LATITUDE: 53, LONGITUDE: 6 }],
      { LATITUDE: 52, LONGITUDE: 5 },
    ],
  ])(
    'a stored reading gets the result of re-decoding its files: %s (12.C2)',
    (_, stored, former, files, expected) => {
      const once = signalsAfterRedecoding(stored, former, files);
      expect(once).toEqual(expected);
      // Repeating the replacement after an interruption changes nothing.
      expect(signalsAfterRedecoding(once ?? {}, former, files)).toEqual(expected);
    },
  );
});

test('a signal named like a member of Object.prototype is counted as added, changed or removed', () => {
  const outcome = { readings: { added: 0, changed: 0, removed: 0 }, signals: {} };
  countReplacement(outcome, { before: undefined, after: { constructor: 1 } as never });
  countReplacement(outcome, { before: { Soc1: 1 }, after: { Soc1: 1, toString: 2 } as never });
  countReplacement(outcome, { before: { constructor: 1 } as never, after: undefined });
  expect(Object.entries(outcome.signals)).toEqual([
    ['constructor', { added: 1, changed: 0, removed: 1 }],
    ['toString', { added: 1, changed: 0, removed: 0 }],
  ]);
});
