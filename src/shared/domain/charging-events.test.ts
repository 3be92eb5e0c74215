import { expect, test } from 'vitest';
import { type ChargingEvent, type ChargingState, detectChargingEvents } from './charging-events.ts';
import type { Reading, Signals } from './signal.ts';
import { chargingEvents } from './test/oracle/charging.ts';
import { randomMachine } from './test/oracle/random-machine.ts';

const ON = { ChargingCurrent: 32, IsCharging: 1 };
const OFF = { ChargingCurrent: 0, IsCharging: 0 };
const T0 = Date.UTC(2026, 10, 21, 9);
const at = (minutes: number): number => T0 + minutes * 60_000;

/** Returns a reading with the same signals every 10 s, from one minute up to another. */
function during(from: number, to: number, signals: Signals): Reading[] {
  const readings: Reading[] = [];
  for (let time = at(from); time < at(to); time += 10_000) readings.push({ time, signals });
  return readings;
}

/** Returns the events as 'kind@from' or 'kind@from-to', with times in minutes. */
function eventTexts(readings: readonly Reading[]): string[] {
  const minutes = (ms: number) => Math.round(((ms - T0) / 60_000) * 100) / 100;
  return eventsOf(readings).map(
    ({ kind, from, to }) => `${kind}@${minutes(from)}${to === undefined ? '' : `-${minutes(to)}`}`,
  );
}

function eventsOf(readings: readonly Reading[]): ChargingEvent[] {
  let state: ChargingState | undefined;
  return readings.flatMap((reading) => {
    // The state must survive the database as JSON.
    const next = detectChargingEvents(state && JSON.parse(JSON.stringify(state)), reading);
    state = next.state;
    return next.events;
  });
}

const soc = (percent: number, signals: Signals = ON): Signals => ({ ...signals, Soc1: percent });

test.each<[string, Reading[], string[]]>([
  ['nothing', [], []],
  ['a first reading that charges', during(0, 60, ON), []],
  ['a first reading that does not', during(0, 60, OFF), []],
  ['a start', [...during(0, 5, OFF), ...during(5, 10, ON)], ['started@5']],
  ['a start right after the first reading', [...during(0, 0.1, OFF), ...during(1, 4, ON)], ['started@1']],
  [
    'a start that held for less than 2 minutes',
    [...during(0, 5, OFF), ...during(5, 7, ON), ...during(7, 20, OFF)],
    [],
  ],
  [
    'a start that held for exactly 2 minutes',
    [...during(0, 5, OFF), ...during(5, 7.1, ON), ...during(7.1, 9, OFF)],
    ['started@5'],
  ],
  ['an end', [...during(0, 5, ON), ...during(5, 10, OFF)], ['ended@5']],
  [
    'an interruption of less than 2 minutes',
    [...during(0, 5, ON), ...during(5, 6.9, OFF), ...during(6.9, 20, ON)],
    [],
  ],
  [
    'start and end',
    [...during(0, 5, OFF), ...during(5, 60, ON), ...during(60, 70, OFF)],
    ['started@5', 'ended@60'],
  ],
  ['1 A is no charging', [...during(0, 5, OFF), ...during(5, 30, { ChargingCurrent: 1, IsCharging: 1 })], []],
  ['a flag without a current', [...during(0, 5, OFF), ...during(5, 30, { IsCharging: 1 })], []],
  ['a start across a gap', [...during(0, 5, OFF), ...during(65, 70, ON)], ['started@4.83-65']],
  ['an end across a gap', [...during(0, 5, ON), ...during(65, 70, OFF)], ['ended@4.83-65']],
  [
    'a change across a gap that did not hold',
    [...during(0, 5, OFF), ...during(65, 66, ON), ...during(66, 90, OFF)],
    [],
  ],
  ['exactly 5 minutes is no gap', [{ time: at(0), signals: OFF }, ...during(5, 8, ON)], ['started@5']],
  ['no change across a gap', [...during(0, 5, ON), ...during(65, 70, ON)], []],
  [
    'a change just before a gap, found again after it',
    [...during(0, 5, ON), ...during(5, 5.5, OFF), ...during(65, 70, OFF)],
    ['ended@5'],
  ],
  [
    'a change just before a gap, gone after it',
    [...during(0, 5, ON), ...during(5, 5.5, OFF), ...during(65, 70, ON)],
    [],
  ],
  [
    'a whole charge inside a gap gives no event',
    [...during(0, 5, soc(20, OFF)), ...during(600, 610, soc(100, OFF))],
    [],
  ],
  ['complete', [...during(0, 5, soc(98)), ...during(5, 9, soc(99))], ['completed@5']],
  ['98.9 % is not complete', during(0, 60, soc(98.9)), []],
  [
    'a charge that completed has no end event',
    [...during(0, 5, soc(98)), ...during(5, 30, soc(99.5)), ...during(30, 40, soc(99, OFF))],
    ['completed@5'],
  ],
  [
    'complete for less than 2 minutes',
    [...during(0, 5, soc(98)), ...during(5, 6.5, soc(99)), ...during(6.5, 20, soc(98))],
    [],
  ],
  [
    'charging stops at once when complete',
    [...during(0, 5, soc(98)), ...during(5, 5.5, soc(99)), ...during(5.5, 9, soc(98.5, OFF))],
    ['completed@5.5'],
  ],
  ['complete across a gap', [...during(0, 5, soc(50)), ...during(65, 70, soc(100))], ['completed@4.83-65']],
  [
    'complete and off across a gap',
    [...during(0, 5, soc(50)), ...during(65, 70, soc(100, OFF))],
    ['completed@4.83-65'],
  ],
  ['complete from the first reading on', [...during(0, 30, soc(100)), ...during(30, 40, soc(100, OFF))], []],
  [
    'the mean of two packs counts',
    during(0, 1, { ...ON, Soc1: 97, Soc2: 97 }).concat(during(1, 9, { ...ON, Soc1: 100, Soc2: 98 })),
    ['completed@1'],
  ],
  [
    'complete, driven empty unseen, complete again',
    [
      ...during(0, 5, soc(98)),
      ...during(5, 9, soc(99)),
      ...during(600, 640, soc(40)),
      ...during(640, 645, soc(99)),
    ],
    ['completed@5', 'completed@640'],
  ],
  [
    'a full machine on the cable',
    [...during(0, 5, soc(100, OFF)), ...during(5, 20, soc(100))],
    ['started@5', 'completed@5'],
  ],
  ['a first reading of the GPS alone', [...during(0, 1, { LATITUDE: 52 }), ...during(1, 30, ON)], []],
  ['current and flag apart at first', [...during(0, 0.1, { IsCharging: 1 }), ...during(0.2, 30, ON)], []],
  [
    'no charging signals at first, then charging',
    [...during(0, 5, { Soc1: 50 }), ...during(5, 9, ON)],
    ['started@5'],
  ],
  [
    'GPS in between does not end it',
    during(0, 30, ON).flatMap((r) => [r, { time: r.time + 5_000, signals: { LATITUDE: 52 } }]),
    [],
  ],
  ['the CAN bus falls asleep', [...during(0, 5, ON), ...during(5, 20, { LATITUDE: 52 })], ['ended@10']],
  [
    'flapping every minute',
    Array.from({ length: 60 }, (_, n) => during(n, n + 1, n % 2 ? ON : OFF)).flat(),
    [],
  ],
])('readings give charging events: %s (MAIL-01)', (_, readings, expected) => {
  expect(eventTexts(readings)).toEqual(expected);
});

test('a charging event has the time at which it was detected, and the mean SoC and the signals of that time (MAIL-01)', () => {
  const [event] = eventsOf([
    ...during(0, 5, OFF),
    ...during(5, 9, { ...ON, ChargingVoltage: 700, Soc1: 40, soc2: 60 }),
  ]);
  expect(event).toEqual({
    kind: 'started',
    from: at(5),
    knownAt: at(7),
    soc: 50,
    signals: { ChargingCurrent: 32, IsCharging: 1, ChargingVoltage: 700, Soc1: 40, soc2: 60 },
  });
});

/**
 * Treats 'ended' and 'completed' in a gap as equal: the portal's code uses the level after the gap to decide whether a charge was full, the
 * oracle does not.
 */
const alike = (kind: string, after: number | undefined): string =>
  after !== undefined && kind !== 'started' ? 'ended across a gap' : kind;

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'the charging events of random machine %i are those of the oracle (MAIL-01, 12.A5)',
  (seed) => {
    const { stored, packs } = randomMachine(seed);
    const listed = Math.max(0, ...packs);
    let state: ChargingState | undefined;
    const ours = stored.flatMap((reading) => {
      const next = detectChargingEvents(state, reading, listed);
      state = next.state;
      return next.events.map(({ kind, from, to, knownAt }) => [
        alike(kind === 'ended' ? 'stopped' : kind, to && from),
        to ?? from,
        knownAt,
      ]);
    });
    const all = Array.from({ length: listed }, (_, pack) => pack + 1);
    const theirs = chargingEvents(stored, all).map(({ kind, time, after, countedAt }) => [
      alike(kind, after),
      time,
      countedAt,
    ]);
    // The first state of a stream is no event. The oracle takes that state from the first reading, the portal's code from the first
    // minutes.
    const begins = theirs[0]?.[0] === 'started' && ours[0]?.[0] !== 'started' ? 1 : 0;
    expect(ours).toEqual(theirs.slice(begins));
  },
);
