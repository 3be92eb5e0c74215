import { expect, test } from 'vitest';
import { findPresenceEvents, type PresencePart } from './presence-events.ts';

/** The numbers are hours; project 1 has no end, project 2 runs from 100 to 200. */
const HOUR = 3_600_000;
const ALWAYS = { from: 0, to: Number.POSITIVE_INFINITY };
const TIMES = new Map([
  [1, ALWAYS],
  [2, { from: 100 * HOUR, to: 200 * HOUR }],
  [3, ALWAYS],
]);
const on = (projectId: number, from: number, to: number, byHand = false): PresencePart => ({
  projectId,
  from: from * HOUR,
  to: to * HOUR,
  byHand,
});
const hand = (projectId: number, from: number, to: number) => on(projectId, from, to, true);

/** The cases are evaluated at hour 300, up to which presences are computed; a presence that ends at OPEN continues. */
const OPEN = 300.1;
test.each<[string, PresencePart[], string[]]>([
  ['on no project', [], []],
  ['the machine came and left', [on(1, 290, 295)], ['arrived 1 290-295', 'left 1 295']],
  ['the machine is still there', [on(1, 290, OPEN)], ['arrived 1 290']],
  ['the machine came a day ago', [on(1, 276, OPEN)], ['arrived 1 276-300']],
  [
    'a presence over several midnights',
    [on(1, 250, 264), on(1, 264, 288), on(1, 288, OPEN)],
    ['arrived 1 250-274'],
  ],
  [
    'the machine came back',
    [on(1, 280, 290), on(1, 295, OPEN)],
    ['arrived 1 280-290', 'left 1 290-295', 'arrived 1 295'],
  ],
  [
    'from one project to another',
    [on(1, 280, 290), on(3, 290, OPEN)],
    ['arrived 1 280-290', 'left 1 290-290', 'arrived 3 290'],
  ],
  [
    'a clock that is ahead',
    [on(1, 290, 300), on(3, 300.01, 300.2)],
    ['arrived 1 290-300', 'left 1 300-300.01', 'arrived 3 300.01'],
  ],
  ['the project ended', [on(2, 190, 200)], ['arrived 2 190-214']],
  [
    'a manual assignment elsewhere during a presence',
    [on(1, 280, 290), hand(3, 290, 292), on(1, 292, OPEN)],
    ['arrived 1 280'],
  ],
  [
    'two manual assignments during a presence',
    [on(1, 280, 290), hand(3, 290, 291), hand(2, 291, 292), on(1, 292, OPEN)],
    ['arrived 1 280'],
  ],
  [
    'on another project after a manual assignment',
    [on(1, 280, 290), hand(2, 290, 292), on(3, 292, OPEN)],
    ['arrived 1 280-292'],
  ],
  [
    'back some time after a manual assignment',
    [on(1, 280, 290), hand(3, 290, 292), on(1, 294, OPEN)],
    ['arrived 1 280-294', 'arrived 1 294'],
  ],
  ['left after a manual assignment ended', [hand(3, 280, 290), on(1, 290, 295)], ['left 1 295']],
  ['only a manual assignment', [hand(1, 280, 290)], []],
])('positions give arrivals and departures: %s (16.3p)', (_, parts, expected) => {
  const events = findPresenceEvents(
    parts,
    TIMES,
    { computedTo: 300 * HOUR, ownedSince: 0, cuts: [] },
    300 * HOUR,
  );
  const hours = (ms?: number) => (ms === undefined ? '' : ms / HOUR);
  expect(
    events.map(
      ({ kind, projectId, at, until }) =>
        `${kind} ${projectId} ${hours(at)}${until === undefined ? '' : `-${hours(until)}`}`,
    ),
  ).toEqual(expected);
});

test.each<[string, PresencePart[], ownedSince: number, number]>([
  ['when the project began', [on(2, 110, 120)], 0, 100],
  ['when the organization got the machine', [on(2, 110, 120)], 105, 105],
  ['when another project ended', [on(2, 190, 200), on(1, 205, OPEN)], 0, 200],
  ['when a manual assignment ended', [hand(3, 280, 285), on(1, 290, OPEN)], 0, 285],
])(
  'an arrival is proven only by positions after the last change by people: %s (16.3p)',
  (_, parts, ownedSince, expected) => {
    const events = findPresenceEvents(
      parts,
      TIMES,
      { computedTo: 300 * HOUR, ownedSince: ownedSince * HOUR, cuts: [] },
      300 * HOUR,
    );
    expect(events.findLast(({ kind }) => kind === 'arrived')?.changed).toBe(expected * HOUR);
  },
);

test('a presence that ends because an exception begins gives no departure, and a later presence gives a new arrival (53.17)', () => {
  const machine = { computedTo: 300 * HOUR, ownedSince: 0, cuts: [285 * HOUR, 290 * HOUR] };
  const events = findPresenceEvents([on(1, 280, 285), on(1, 291, OPEN)], TIMES, machine, 300 * HOUR);
  expect(events.map(({ kind, at, changed }) => [kind, at / HOUR, changed / HOUR])).toEqual([
    ['arrived', 280, 0],
    ['arrived', 291, 290],
  ]);
});
