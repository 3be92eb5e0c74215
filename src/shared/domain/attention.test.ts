import { expect, test } from 'vitest';
import { withAlertReasons } from './alerts/alert-reasons.ts';
import { type Attention, attentionOf, batteryReasons, faultReason } from './attention.ts';
import type { SignalValues } from './machine-status.ts';

const NOW = Date.UTC(2026, 10, 23, 5, 45);
const HOUR = 3600;
const RULES = { seesPositions: true };
const WELL = { GMT_UNIX: NOW / 1000, LATITUDE: 52, LONGITUDE: 5, Soc1: 80 };
const machine = (liveData: SignalValues, packs = 1) => ({
  liveData,
  reasons: batteryReasons(
    liveData,
    Array.from({ length: packs }, () => ({ capacity: 20 })),
  ),
});
const wordsOf = (changes: SignalValues, packs = 1) =>
  attentionOf(machine({ ...WELL, ...changes }, packs), NOW, RULES).map(({ words }) => words);

const ago = (seconds: number) => ({ GMT_UNIX: NOW / 1000 - seconds });
const CABLE = { IsCharging2: 1 };
const CHARGES = { ...CABLE, ChargingCurrent: 1.01 };

test.each<[string, SignalValues, number, string[]]>([
  ['all is well', {}, 1, []],
  ['20 %', { Soc1: 20 }, 1, []],
  ['below 20 %', { Soc1: 19.4 }, 1, ['batterij laag: 19%']],
  ['empty, or below 0 as the battery reports', { Soc1: -3 }, 1, ['batterij laag: 0%']],
  ['low, but it charges', { Soc1: 4, ...CHARGES }, 1, []],
  ['no level known', { Soc1: undefined }, 1, []],
  ['a level that is no number', { Soc1: Number.NaN }, 1, []],
  ['the mean low', { Soc1: 15, Soc2: 17 }, 2, ['batterij laag: 16%']],
  ['one of two low', { Soc1: 60, Soc2: 12 }, 2, ['accu 2 laag: 12%', "accu's verschillen 48 punten"]],
  ['one of two silent', { Soc1: 60 }, 2, []],
  ['10 points apart', { Soc1: 60, Soc2: 70 }, 2, []],
  ['more', { Soc1: 60, Soc2: 70.6, Soc3: 65 }, 3, ["accu's verschillen 11 punten"]],
  [
    'more than 10 points apart while charging',
    { ...CHARGES, Soc1: 60, Soc2: 80 },
    2,
    ["accu's verschillen 20 punten"],
  ],
  ['on the cable, no current', CABLE, 1, ['aan de kabel, maar laadt niet']],
  ['on the cable, 1 A', { ...CABLE, ChargingCurrent: 1 }, 1, ['aan de kabel, maar laadt niet']],
  ['on the cable, full', { ...CABLE, Soc1: 99 }, 1, []],
  ['on the cable, level not known', { ...CABLE, Soc1: undefined }, 1, []],
  ['a flag of 0.5', { IsCharging1: 0.5 }, 1, []],
  [
    'low and on a cable that gives nothing',
    { ...CABLE, Soc1: 5 },
    1,
    ['batterij laag: 5%', 'aan de kabel, maar laadt niet'],
  ],
  ['no position', { LATITUDE: 0, LONGITUDE: 0 }, 1, ['geen positie']],
  ['10 minutes of silence', ago(600), 1, []],
  ['more', ago(601), 1, ['al 10 min niets gehoord']],
  ['3 hours', ago(3 * HOUR + 1), 1, ['al 3 uur niets gehoord']],
  ['2 days', ago(50 * HOUR), 1, ['al 2 dagen niets gehoord']],
  ['never', { GMT_UNIX: 0, LATITUDE: 0 }, 1, ['nog nooit gezien']],
  [
    'silent: the last values say nothing about now',
    { ...ago(HOUR), ...CABLE, Soc1: 3, LATITUDE: 0 },
    1,
    ['al 1 uur niets gehoord'],
  ],
])('the reasons why a machine needs attention: %s (15.1b)', (_, changes, packs, expected) => {
  expect(wordsOf(changes, packs)).toEqual(expected);
});

test('a viewer who may not see positions is not told that a position is missing (15.1b)', () => {
  const hidden = machine({ ...WELL, LATITUDE: 0, LONGITUDE: 0 });
  expect(attentionOf(hidden, NOW, { seesPositions: false })).toEqual([]);
});

test('a silent machine needs attention for its silence only, whatever its last values (15.1b)', () => {
  const low = machine({ ...WELL, Soc1: 10 });
  expect(attentionOf(low, NOW, RULES)).toHaveLength(1);
  expect(attentionOf(low, NOW + 3 * HOUR * 1000, RULES)[0]?.words).toBe('al 3 uur niets gehoord');
});

const LOW = { kind: 'low', words: 'batterij laag: 12%' } as const;
const NO_PLACE = { kind: 'no-position', words: 'geen positie' } as const;
test.each<[string, Attention[], Parameters<typeof withAlertReasons>[1], string[]]>([
  ['no open alert', [LOW], [], ['batterij laag: 12%']],
  [
    'an open alert and no other reason',
    [],
    [{ kind: 'moved', words: '300 m verplaatst' }],
    ['300 m verplaatst'],
  ],
  ['an alert with the same reason', [LOW], [{ kind: 'low', words: 'accu 1 op 12%' }], ['batterij laag: 12%']],
  [
    'an alert about silence of a silent machine',
    [{ kind: 'silent', words: 'al 3 uur niets gehoord' }],
    [{ kind: 'unseen', words: 'al 1 uur niets gehoord' }],
    ['al 3 uur niets gehoord'],
  ],
  [
    'two rules with the same reason',
    [],
    [
      { kind: 'low', words: 'accu 1 op 12%' },
      { kind: 'low', words: 'accu 1 op 14%' },
    ],
    ['accu 1 op 12%'],
  ],
  [
    'alerts that are more urgent',
    [LOW, NO_PLACE],
    [
      { kind: 'speeding', words: 'reed 40 km/u' },
      { kind: 'moved', words: '300 m verplaatst' },
    ],
    ['300 m verplaatst', 'batterij laag: 12%', 'reed 40 km/u', 'geen positie'],
  ],
])('open alerts add their reasons for attention: %s (16.8i)', (_, reasons, alerts, expected) => {
  expect(withAlertReasons(reasons, alerts).map(({ words }) => words)).toEqual(expected);
});

test('the list of reasons for attention stays the same object when no alert adds a reason (16.8i)', () => {
  const reasons = [LOW];
  expect(withAlertReasons(reasons, [LOW])).toBe(reasons);
});

test.each([
  [{ count: 1, lamp: null }, 'storing SPN 100, FMI 1'],
  [{ count: 1, lamp: 'stop' }, 'stoplamp: storing SPN 100, FMI 1'],
  [{ count: 3, lamp: 'warning' }, '3 storingen, met SPN 100, FMI 1'],
] as const)('the reason of active fault codes: %o (42.52)', (active, words) => {
  expect(faultReason({ spn: 100, fmi: 1, isOldLayout: false, ...active })).toEqual({ kind: 'fault', words });
});
