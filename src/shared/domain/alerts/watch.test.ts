import { expect, test } from 'vitest';
import type { Reading, Signals } from '../signal.ts';
import { alertText } from './evaluations.ts';
import { defaultSettings, type ReadingAlertKind } from './kinds.ts';
import { compareEpisodes, readingAlertOracle } from './test/oracle.ts';
import { createRandomMachineHistory } from './test/random-machine-history.ts';
import {
  type Episode,
  evaluateReading,
  ongoingEpisodes,
  type WatchedMachine,
  type WatchedRule,
  type WatchState,
} from './watch.ts';

/** Returns all episodes of a list of readings; `kept` transforms the state between two readings. */
function watched(
  readings: readonly Reading[],
  machine: WatchedMachine,
  kept: (state: WatchState) => WatchState = (state) => state,
): Episode[] {
  let state: WatchState | undefined;
  const ended = readings.flatMap((reading) => {
    const next = evaluateReading(state, reading, machine);
    state = kept(next.state);
    return next.ended;
  });
  return [...ended, ...(state ? ongoingEpisodes(state) : [])].sort(compareEpisodes);
}

const T0 = Date.UTC(2026, 10, 23, 17);
const at = (minutes: number): number => T0 + Math.round(minutes * 60_000);

/** Returns the same reading each minute, from one minute up to another. */
const during = (from: number, to: number, signals: Signals): Reading[] =>
  Array.from({ length: to - from }, (_, n) => ({ time: at(from + n), signals }));
const once = (minute: number, signals: Signals): Reading => ({ time: at(minute), signals });

/** Work ends at minute 0 of the test and begins again 10 hours later. */
const isWorkTime = (ms: number): boolean => ms < at(0) || ms >= at(600);

/** Returns each alert as 'since at until' in minutes, until '-' if it is open; checks the alerts against the oracle. */
function found(
  kind: ReadingAlertKind,
  readings: readonly Reading[],
  other: Partial<WatchedRule> = {},
): string[] {
  const { settings = {}, ...others } = other;
  const rule = { key: 'a', kind, inWorkOnly: false, from: 0, ...others };
  const rules = [{ ...rule, settings: { ...defaultSettings(kind), ...settings } }];
  const machine = { rules, ownedSince: 0, batteries: [], isWorkTime };
  const minutes = (ms: number | undefined) => (ms === undefined ? '-' : (ms - T0) / 60_000);
  const words = (episode: { since: number; at: number; until?: number }) =>
    [episode.since, episode.at, episode.until].map(minutes).join(' ');
  const found = watched(readings, machine).map(words);
  expect(readingAlertOracle(readings, machine).map(words)).toEqual(found);
  return found;
}

const soc = (Soc1: number, others: Signals = {}): Signals => ({ Soc1, ...others });
const packs = (Soc1: number, Soc2: number): Signals => ({ Soc1, Soc2 });
const ON = { IsCharging: 1, ChargingCurrent: 40 };
/** Plugged in without current. */
const IDLE = { IsCharging: 1, ChargingCurrent: 0 };
const OFF = { IsCharging: 0 };
/** A signal that no rule needs. */
const OTHER = { MotorSpeed: 0 };
/** Returns a position that is so many metres north of 52° N, 5° E. */
const north = (metres: number): Signals => ({ LATITUDE: 52 + metres * 0.000_009, LONGITUDE: 5 });
const speed = (Speed: number): Signals => ({ Speed });

test.each<[string, Reading[], string[], Partial<WatchedRule>?]>([
  [
    'below the threshold',
    [...during(0, 5, soc(50)), ...during(5, 10, soc(19.9)), ...during(10, 15, soc(25))],
    ['5 7 10'],
  ],
  ['exactly at the threshold', during(0, 10, soc(20)), []],
  ['one of two packs is low', during(0, 10, packs(100, 19)), ['0 2 -']],
  ['while charging', during(0, 10, soc(19, ON)), []],
  ['on a cable without current', during(0, 10, soc(19, { ...IDLE, ChargingCurrent: 1 })), ['0 2 -']],
  ['on a cable of unknown current', during(0, 10, soc(19, { IsCharging: 1 })), ['0 2 -']],
  ['resolves when charging begins', [...during(0, 5, soc(19)), ...during(5, 10, soc(19, ON))], ['0 2 5']],
  [
    'does not resolve with one of two packs',
    [...during(0, 5, packs(19, 19)), ...during(5, 10, packs(25, 24.9))],
    ['0 2 -'],
  ],
  [
    'does not resolve between threshold and clear',
    [...during(0, 5, soc(19)), ...during(5, 30, soc(24.9))],
    ['0 2 -'],
  ],
  ['not over when nothing is known', [...during(0, 5, soc(19)), ...during(5, 30, OTHER)], ['0 2 -']],
  ['the clearest name of a pack', during(0, 10, { Soc1: 80, SocDisp: 10 }), []],
  [
    'a single value counts for 5 minutes',
    [once(0, soc(19)), ...during(1, 9, OTHER)],
    ['0 5 -'],
    { settings: { hold: 5 } },
  ],
  [
    'a single value counts for no more than 5 minutes',
    [once(0, soc(19)), ...during(1, 9, OTHER)],
    [],
    { settings: { hold: 6 } },
  ],
])('the alert about a low pack opens and resolves: %s (16.1t)', (_, readings, expected, rule) => {
  expect(found('low', readings, rule)).toEqual(expected);
});

test.each<[string, Reading[], string[]]>([
  ['no current', during(0, 12, soc(50, IDLE)), ['0 10 -']],
  ['for less than 10 minutes', during(0, 10, soc(50, IDLE)), []],
  ['1 A counts as no current', during(0, 12, soc(50, { ...IDLE, ChargingCurrent: 1 })), ['0 10 -']],
  ['more than 1 A', during(0, 12, soc(50, { ...IDLE, ChargingCurrent: 1.1 })), []],
  ['an unknown current', during(0, 12, soc(50, { IsCharging: 1 })), []],
  ['unknown packs', during(0, 12, IDLE), []],
  ['one flag of two', during(0, 12, soc(50, { ...IDLE, IsCharging: 0, IsCharging2: 1 })), ['0 10 -']],
  ['full', during(0, 12, soc(99, IDLE)), []],
  ['packs whose mean is full', during(0, 12, { ...packs(100, 98), ...IDLE }), []],
  ['packs whose mean is not full', during(0, 12, { ...packs(100, 97.9), ...IDLE }), ['0 10 -']],
  [
    'resolves when the plug is pulled',
    [...during(0, 12, soc(50, IDLE)), ...during(12, 15, OFF)],
    ['0 10 12'],
  ],
  ['resolves when current flows', [...during(0, 12, soc(50, IDLE)), ...during(12, 15, ON)], ['0 10 12']],
  [
    'resolves when the packs are full',
    [...during(0, 12, soc(50, IDLE)), ...during(12, 15, soc(99, IDLE))],
    ['0 10 12'],
  ],
  ['not over when nothing is known', [...during(0, 12, soc(50, IDLE)), ...during(12, 40, OTHER)], ['0 10 -']],
  [
    'resolves when the packs are full, though no flag is known any more',
    [...during(0, 12, soc(50, IDLE)), ...during(12, 17, soc(50)), ...during(17, 20, soc(99))],
    ['0 10 17'],
  ],
])(
  'the alert about a machine that is plugged in without charging opens and resolves: %s (16.1t)',
  (_, readings, expected) => {
    expect(found('not-charging', readings)).toEqual(expected);
  },
);

test.each<[string, Reading[], string[]]>([
  ['more apart than the threshold', during(0, 17, packs(80, 69.9)), ['0 15 -']],
  ['exactly the threshold apart', during(0, 17, packs(80, 70)), []],
  ['highest and lowest of three', during(0, 17, { ...packs(80, 74), Soc3: 69 }), ['0 15 -']],
  ['over', [...during(0, 17, packs(80, 69)), ...during(17, 20, packs(80, 72.1))], ['0 15 17']],
  [
    'not over at exactly the limit',
    [...during(0, 17, packs(80, 69)), ...during(17, 20, packs(80, 72))],
    ['0 15 -'],
  ],
  ['a single pack has no difference', during(0, 17, soc(50)), []],
  [
    'does not resolve while one pack is known',
    [...during(0, 17, packs(80, 69)), ...during(17, 30, soc(80))],
    ['0 15 -'],
  ],
])('the alert about packs whose levels differ opens and resolves: %s (16.1t)', (_, readings, expected) => {
  expect(found('packs-apart', readings)).toEqual(expected);
});

const BOTH = packs(50, 50);
test.each<[string, Reading[], string[]]>([
  ['silent for 15 minutes', [once(0, BOTH), ...during(1, 18, soc(50))], ['15 16 -']],
  ['silent for less than 15 minutes', [once(0, BOTH), ...during(1, 15, soc(50))], []],
  [
    'resolves when the pack reports again',
    [once(0, BOTH), ...during(1, 20, soc(50)), ...during(20, 23, BOTH)],
    ['15 16 20'],
  ],
  ['all packs silent: the machine is off', [once(0, BOTH), ...during(1, 60, OTHER)], []],
  ['a pack that never reported', during(0, 60, soc(50)), []],
  ['another name of the pack', [once(0, BOTH), ...during(1, 30, { Soc1: 50, soc_2: 50 })], []],
  [
    'resolves after 24 hours: the pack was removed',
    [once(0, BOTH), ...during(1, 1445, soc(50))],
    ['15 16 1441'],
  ],
])('the alert about a silent pack opens and resolves: %s (16.1t)', (_, readings, expected) => {
  expect(found('pack-silent', readings)).toEqual(expected);
});

test.each<[string, Reading[], string[]]>([
  ['two readings', during(0, 2, speed(45.1)), ['0 1 -']],
  ['exactly at the limit', during(0, 5, speed(45)), []],
  ['over', [...during(0, 2, speed(46)), ...during(2, 5, speed(41.9))], ['0 1 2']],
  ['not over at exactly the limit', [...during(0, 2, speed(46)), ...during(2, 5, speed(42))], ['0 1 -']],
  ['carried with its motor off', during(0, 5, { ...speed(70), MotorSpeed: 0 }), []],
  ['carried on a train, without a motor signal', during(0, 5, speed(140)), []],
  [
    'resolves when the machine is carried on',
    [...during(0, 2, { ...speed(46), MotorSpeed: 900 }), ...during(2, 5, { ...speed(70), MotorSpeed: 0 })],
    ['0 1 2'],
  ],
  ['unknown', during(0, 5, OTHER), []],
])('the alert about speeding opens and resolves: %s (16.1t)', (_, readings, expected) => {
  expect(found('speeding', readings)).toEqual(expected);
});

const LEFT = during(-3, 0, north(0));
test.each<[string, Reading[], string[]]>([
  ['two minutes', [...LEFT, ...during(0, 3, north(140))], ['0 2 -']],
  ['two minutes, with two readings', [...LEFT, once(0, north(140)), once(2, north(140))], ['0 2 -']],
  [
    'less than two minutes',
    [...LEFT, ...during(0, 2, north(140)), { ...once(2, north(140)), time: at(2) - 1 }],
    [],
  ],
  ['less far than the threshold and 30 m', [...LEFT, ...during(0, 5, north(129))], []],
  ['only one reading away', [...LEFT, once(0, north(140)), once(1, north(0))], []],
  ['less far than the threshold', [...LEFT, ...during(0, 5, north(90))], []],
  [
    'counted from its last position in working hours',
    [...LEFT, once(-0.5, north(140)), ...during(0, 5, north(140))],
    [],
  ],
  [
    'counted from its first position, without any in working hours',
    [once(1, north(0)), ...during(2, 5, north(140))],
    ['2 4 -'],
  ],
  ['in working hours', [...LEFT, once(-0.5, north(140))], []],
  [
    'a reading without a position in between',
    [...LEFT, once(0, north(140)), once(1, OTHER), once(2, north(140))],
    [],
  ],
  [
    'one alert per night, until working hours begin',
    [...LEFT, ...during(0, 3, north(140)), ...during(3, 5, north(0)), ...during(5, 602, north(140))],
    ['0 2 600'],
  ],
  [
    'readings with gaps in between open no alert',
    [...LEFT, once(100, north(140)), once(200, north(140)), once(300, north(140))],
    [],
  ],
])('the alert about a move outside working hours opens and resolves: %s (16.1t)', (_, readings, expected) => {
  expect(found('moved', readings)).toEqual(expected);
});

test.each<[string, Signals, Signals, string]>([
  ['the motor runs', {}, { MotorSpeed: 900 }, 'zelf gereden'],
  ['the motor stands, whatever the receiver says of its speed', {}, { MotorSpeed: 0, Speed: 60 }, 'vervoerd'],
  ['the CAN bus sleeps on the trailer', { MotorSpeed: 900 }, { Speed: 60 }, 'vervoerd'],
  ['without a motor signal but with a speed', {}, { Speed: 10 }, 'zelf gereden'],
])('the text of a move says how the machine moved, %s (42.25)', (_, before, signals, how) => {
  const rule = {
    key: 'a',
    kind: 'moved' as const,
    settings: defaultSettings('moved'),
    inWorkOnly: false,
    from: 0,
  };
  const machine = { rules: [rule], ownedSince: 0, batteries: [], isWorkTime };
  const readings = [
    ...during(-13, -10, { ...north(0), ...before }),
    ...during(0, 20, { ...north(900), ...signals }),
  ];
  expect(watched(readings, machine).map(({ figures }) => alertText('moved', figures))).toEqual([
    `901 m verplaatst, ${how}`,
  ]);
});

const IN_WORK = { inWorkOnly: true };
test.each<[string, Reading[], string[], Partial<WatchedRule>?]>([
  [
    'a reading without the condition ends a pending alert',
    [...during(0, 2, soc(19)), once(2, soc(22)), ...during(3, 5, soc(19)), once(5, soc(19))],
    ['3 5 -'],
  ],
  ['the first reading opens no alert', [once(0, soc(19))], [], { settings: { hold: 0 } }],
  ['the second reading opens an alert', during(0, 2, soc(19)), ['0 1 -'], { settings: { hold: 0 } }],
  ['5:00.000 is no gap', [once(0, soc(19)), once(5, soc(19))], ['0 5 -']],
  [
    'the pending period starts again after a gap',
    [once(0, soc(19)), { time: at(5) + 1, signals: soc(19) }],
    [],
  ],
  [
    'the pending period starts again after a gap, even if it had nearly passed',
    [...during(0, 2, soc(19)), ...during(8, 11, soc(19))],
    ['8 10 -'],
  ],
  [
    'an open alert stays open across a gap',
    [...during(0, 3, soc(19)), ...during(60, 63, soc(19))],
    ['0 2 -'],
  ],
  ['resolves after 2 minutes', [...during(0, 3, soc(19)), ...during(3, 6, soc(50))], ['0 2 3']],
  ['does not resolve within 2 minutes', [...during(0, 3, soc(19)), ...during(3, 5, soc(50))], ['0 2 -']],
  [
    'a reading with the condition while resolving',
    [...during(0, 3, soc(19)), ...during(3, 5, soc(50)), once(5, soc(19)), ...during(6, 9, soc(50))],
    ['0 2 6'],
  ],
  [
    'a reading that is neither firing nor ok while resolving',
    [...during(0, 3, soc(19)), ...during(3, 5, soc(50)), once(5, soc(22)), ...during(6, 9, soc(50))],
    ['0 2 6'],
  ],
  [
    'a gap while resolving',
    [...during(0, 3, soc(19)), ...during(3, 5, soc(50)), ...during(20, 23, soc(50))],
    ['0 2 20'],
  ],
  [
    'resolves at once without clearHold, also after a gap',
    [...during(0, 3, soc(19)), once(20, soc(50))],
    ['0 2 20'],
    { settings: { clearHold: 0 } },
  ],
  [
    'two alerts one after the other',
    [...during(0, 3, soc(19)), ...during(3, 6, soc(50)), ...during(6, 9, soc(19))],
    ['0 2 3', '6 8 -'],
  ],
  ['no alert begins outside working hours', during(0, 10, soc(19)), [], IN_WORK],
  ['a pending alert does not open outside working hours', during(-2, 10, soc(19)), [], IN_WORK],
  ['an alert opens in working hours', during(-3, 10, soc(19)), ['-3 -1 -'], IN_WORK],
  [
    'an open alert resolves outside working hours too',
    [...during(-3, 10, soc(19)), ...during(10, 13, soc(50))],
    ['-3 -1 10'],
    IN_WORK,
  ],
  ['readings from before the rule do not count', during(0, 10, soc(19)), ['6 8 -'], { from: at(6) }],
  ['a reading 1 ms before the rule does not count', during(0, 10, soc(19)), ['7 9 -'], { from: at(6) + 1 }],
])('an alert is pending, opens and resolves: %s (16.1t)', (_, readings, expected, rule) => {
  expect(found('low', readings, rule)).toEqual(expected);
});

test('each of eight packs is evaluated, under any of its signal names (16.1t)', () => {
  for (const name of ['SOC', 'Soc2', 'soc_3', 'Soc8'])
    expect(found('low', during(0, 3, { [name]: 5 }))).toEqual(['0 2 -']);
  expect(found('low', during(0, 3, { Soc9: 5, 'bms.Soc1': 5 }))).toEqual([]);
});

test.each<[ReadingAlertKind, number, Signals, string]>([
  ['low', 1, soc(19.4), 'accu op 19%'],
  ['low', 2, packs(80, 12), 'accu 2 op 12%'],
  ['low', 2, packs(5, 12), 'accu 1 op 5%, accu 2 op 12%'],
  ['not-charging', 1, soc(40, IDLE), 'aan de kabel op 40%, zonder stroom'],
  ['packs-apart', 2, packs(80, 60), 'accu’s verschillen 20 punten'],
  ['speeding', 1, speed(45.6), 'reed 46 km/u'],
])('the text of an alert about packs: %s, %i packs (16.1t)', (kind, packCount, signals, words) => {
  const rule = { key: 'a', kind, settings: defaultSettings(kind), inWorkOnly: false, from: 0 };
  const batteries = Array.from({ length: packCount }, () => ({ capacity: null }));
  const [episode] = watched(during(0, 20, signals), { rules: [rule], ownedSince: 0, batteries, isWorkTime });
  expect([episode && alertText(kind, episode.figures), episode?.seen]).toEqual([words, at(19)]);
});

const courses = Array.from({ length: 100 }, (_, n) => createRandomMachineHistory(n + 1));

test('watch and the oracle find the same alerts in random lists of readings (16.3a)', () => {
  const shown = ({ key, since, at: opened, until }: Omit<Episode, 'seen' | 'figures'>) =>
    `${key}: ${since} ${opened} ${until ?? 'open'}`;
  const found = new Map<string, number>();
  for (const { seed, readings, machine } of courses) {
    const episodes = readingAlertOracle(readings, machine);
    expect(watched(readings, machine).map(shown), `course ${seed}`).toEqual(episodes.map(shown));
    for (const { key, until } of episodes) {
      const name = `${key}${until === undefined ? ' open' : ''}`;
      found.set(name, (found.get(name) ?? 0) + 1);
    }
  }
  // Each rule opened at least three alerts that resolved and three that stayed open, so the comparison covers all cases.
  const [{ machine }] = courses as [(typeof courses)[0]];
  const rare = machine.rules
    .flatMap(({ key }) => [key, `${key} open`])
    .filter((name) => (found.get(name) ?? 0) < 3);
  expect(rare).toEqual([]);
});

test('the state of the evaluation survives a JSON round trip between any two readings (16.3b)', () => {
  for (const { readings, machine } of courses.slice(0, 15)) {
    const kept = watched(readings, machine, (state) => JSON.parse(JSON.stringify(state)));
    expect(kept).toEqual(watched(readings, machine));
  }
});
