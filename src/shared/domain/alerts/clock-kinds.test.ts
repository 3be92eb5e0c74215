import { describe, expect, test } from 'vitest';
import { type FaultEpisode, faultKey } from '../fault-codes.ts';
import type { UsualLevelChanges } from '../usual-day.ts';
import { alertText, evaluateTimerRule } from './evaluations.ts';
import type { AlertFinding } from './kinds/kind.ts';
import { isSharedSilence } from './kinds/silent.ts';
import { defaultSettings, type TimerAlertKind } from './kinds.ts';
import type { MachineCharge, MachineState } from './machine-state.ts';
import { DEFAULT_WORK_WEEK } from './work-week.ts';

/** Returns the time in ms of a wall clock time in Amsterdam in winter. */
const at = (day: string, clock: string): number => Date.parse(`${day}T${clock}:00+01:00`);
const FRIDAY = '2026-03-06';
const SATURDAY = '2026-03-07';
const MONDAY = '2026-03-09';

const machineState = (other: Partial<MachineState>): MachineState => ({
  lastSeenAt: at(MONDAY, '05:55'),
  week: DEFAULT_WORK_WEEK,
  charge: undefined,
  plans: [],
  faults: [],
  ...other,
});
const textOf = (kind: TimerAlertKind, [found]: readonly AlertFinding[]) =>
  found?.figures && alertText(kind, found.figures);
const found = (
  kind: TimerAlertKind,
  now: number,
  other: Partial<MachineState>,
  settings = defaultSettings(kind),
) => textOf(kind, evaluateTimerRule(kind, machineState(other), settings, now));

test.each<[string, TimerAlertKind, lastSeenAt: number | undefined, now: number, string | undefined]>([
  ['a minute before the limit', 'silent', at(FRIDAY, '12:00'), at(SATURDAY, '11:59'), undefined],
  [
    'of as many hours as the rule has',
    'silent',
    at(FRIDAY, '12:00'),
    at(SATURDAY, '12:00'),
    'al 1 dag niets gehoord',
  ],
  ['of a machine that never reported', 'silent', undefined, at(SATURDAY, '12:00'), undefined],
  ['of a machine that never reported', 'unseen', undefined, at(MONDAY, '12:00'), undefined],
  [
    'an hour after the shift began',
    'unseen',
    at(FRIDAY, '16:00'),
    at(MONDAY, '08:00'),
    'al 2 dagen niets gehoord',
  ],
  ['a minute before the limit', 'unseen', at(FRIDAY, '16:00'), at(MONDAY, '07:59'), undefined],
  ['on a day off', 'unseen', at(FRIDAY, '16:00'), at(SATURDAY, '12:00'), undefined],
  ['of a machine that reported in this shift', 'unseen', at(MONDAY, '07:00'), at(MONDAY, '16:00'), undefined],
  [
    'of a machine that reported just before the shift',
    'unseen',
    at(MONDAY, '06:59'),
    at(MONDAY, '08:00'),
    'al 1 uur niets gehoord',
  ],
])('the alert about a silence %s, by a rule of kind %s (16.1t)', (_, kind, lastSeenAt, now, expected) => {
  expect(found(kind, now, { lastSeenAt })).toBe(expected);
});

const SIX = at(MONDAY, '06:00');
const MINUTE = 60_000;
const charge = (other: Partial<MachineCharge>): MachineCharge => ({
  percent: 60,
  usual: [],
  at: SIX - MINUTE,
  isCharging: false,
  full: undefined,
  takesMs: undefined,
  ...other,
});
const full = (from: string, to: string) => ({ from: at(MONDAY, from), to: at(MONDAY, to) });

test.each<[string, Partial<MachineCharge> | undefined, now: number, string | undefined]>([
  ['nothing known', undefined, SIX, undefined],
  ['enough', { percent: 90 }, SIX, undefined],
  ['not charging', {}, SIX, 'accu op 60%, laadt niet'],
  ['more than two hours before the shift', {}, at(MONDAY, '04:59'), undefined],
  ['two hours before', {}, at(MONDAY, '05:00'), 'accu op 60%, laadt niet'],
  ['the shift has begun', {}, at(MONDAY, '07:00'), undefined],
  ['full in time', { isCharging: true, full: full('06:30', '07:00') }, SIX, undefined],
  [
    'perhaps not full in time',
    { isCharging: true, full: full('06:45', '07:05') },
    SIX,
    'accu op 60%, laadt; vol tussen 06:45 en 07:05',
  ],
  [
    'the time of full is unknown',
    { isCharging: true },
    SIX,
    'accu op 60%, laadt; wanneer hij vol is, is niet bekend',
  ],
  [
    'charging in time is still possible',
    { takesMs: 40 * MINUTE },
    SIX,
    'accu op 60%, laadt niet; vol lukt nog met de lader eraan voor 06:20',
  ],
  [
    'charging in time is no longer possible',
    { takesMs: 60 * MINUTE },
    SIX,
    'accu op 60%, laadt niet; vol om 07:00 lukt niet meer',
  ],
  [
    'last seen a while ago, whatever it did then',
    { at: at(MONDAY, '00:10'), isCharging: true, full: full('01:00', '01:20') },
    SIX,
    'accu om 00:10 op 60%, laadt niet',
  ],
])(
  'the alert about a machine that will not be full at the start of the shift: %s (16.1t)',
  (_, known, now, expected) => {
    expect(found('not-full', now, { charge: known && charge(known) })).toBe(expected);
  },
);

/**
 * On a usual Monday the charge level falls 10 percentage points an hour from 07:00 to 17:00: from 60 % at 12:00 it
 * falls to 10 % at the end of the shift.
 */
const NOON = at(MONDAY, '12:00');
const mondays: UsualLevelChanges = {
  from: at(MONDAY, '00:00'),
  steps: Array.from({ length: 96 }, (_, quarter) => (quarter >= 28 && quarter < 68 ? -2.5 : 0)),
};
const work = (other: Partial<MachineCharge>): MachineCharge =>
  charge({ at: NOON, usual: [mondays], ...other });
const LACKS = 'accu op 60%, als gewoonlijk om ca. 15:45 onder 20%; dienst tot 17:00';

test.each<
  [string, Partial<MachineCharge> | undefined, now: number, openAt: number | undefined, string | undefined]
>([
  ['the level falls below the limit', {}, NOON, undefined, LACKS],
  ['the level just stays above the limit', { percent: 72.5 }, NOON, undefined, undefined],
  [
    'the level just falls below the limit',
    { percent: 72.49 },
    NOON,
    undefined,
    'accu op 72%, als gewoonlijk om ca. 16:55 onder 20%; dienst tot 17:00',
  ],
  ['the level just stays above the limit, already open', { percent: 72.5 }, NOON, NOON - MINUTE, 'still'],
  ['the level stays above the other limit, already open', { percent: 75 }, NOON, NOON - MINUTE, undefined],
  ['it charges', { isCharging: true }, NOON, undefined, undefined],
  ['it charges, already open', { isCharging: true }, NOON, NOON - MINUTE, undefined],
  ['before the shift', { at: at(MONDAY, '06:59') }, at(MONDAY, '06:59'), undefined, undefined],
  ['after it, already open', {}, at(MONDAY, '17:00'), NOON, undefined],
  ['open since the previous shift', {}, NOON, at(FRIDAY, '12:00'), undefined],
  ['last seen 10 minutes ago', {}, NOON + 10 * MINUTE, undefined, LACKS],
  ['last seen longer ago', {}, NOON + 10 * MINUTE + 1, undefined, undefined],
  ['last seen longer ago, already open', { isCharging: true }, NOON + 10 * MINUTE + 1, NOON, 'still'],
  ['last seen long ago or never, already open', undefined, NOON, NOON - MINUTE, 'still'],
  ['too little history', { usual: [] }, NOON, undefined, undefined],
  ['too little history, already open', { usual: [] }, NOON, NOON - MINUTE, 'still'],
  [
    'below the limit already',
    { percent: 19 },
    NOON,
    undefined,
    'accu op 19%, als gewoonlijk nu al onder 20%; dienst tot 17:00',
  ],
  ['on a day off', { at: at(SATURDAY, '12:00') }, at(SATURDAY, '12:00'), undefined, undefined],
])(
  'the alert that a charge does not last until the end of the shift: %s (16.1w)',
  (_, known, now, openAt, expected) => {
    const found = evaluateTimerRule(
      'runs-short',
      machineState({ charge: known && work(known) }),
      defaultSettings('runs-short'),
      now,
      openAt,
    );
    expect(expected === 'still' ? found.length > 0 : textOf('runs-short', found)).toBe(
      expected === 'still' ? true : expected,
    );
  },
);

test('the forecast for a night shift also uses the usual day of the next day (16.1w)', () => {
  const night = { from: '22:00', to: '06:00' };
  const week = { ...DEFAULT_WORK_WEEK, workDays: Array.from({ length: 7 }, () => night) };
  const evenly: UsualLevelChanges = {
    from: at(MONDAY, '00:00'),
    steps: Array.from({ length: 96 }, () => -2.5),
  };
  const tuesday: UsualLevelChanges = { from: at('2026-03-10', '00:00'), steps: evenly.steps };
  const now = at(MONDAY, '23:00');
  const textWith = (usual: readonly UsualLevelChanges[]) =>
    textOf(
      'runs-short',
      evaluateTimerRule(
        'runs-short',
        { ...machineState({ charge: work({ percent: 80, at: now, usual }) }), week },
        defaultSettings('runs-short'),
        now,
      ),
    );
  expect(textWith([evenly, tuesday])).toBe(
    'accu op 80%, als gewoonlijk om ca. 04:45 onder 20%; dienst tot 06:00',
  );
  // Without the usual day of Tuesday, the forecast ends at midnight, before the level falls below 20 %.
  expect(textWith([evenly])).toBeUndefined();
});

test('a battery that is not full before a day off raises no alert (16.1t)', () => {
  const now = at(SATURDAY, '06:00');
  expect(found('not-full', now, { charge: charge({ at: now }) })).toBeUndefined();
});

test.each([
  ['ok', 'hours', undefined],
  ['soon', 'hours', 'Grote beurt nodig bij 1.500 uur'],
  ['due', 'date', 'Grote beurt nodig op 01-04-2026'],
] as const)('the alert text for maintenance whose state is %s by %s (16.1t)', (state, by, expected) => {
  const plan = { state, by, dueHours: 1500, hoursLeft: 20, dueDay: '2026-04-01', daysLeft: 22 };
  expect(found('maintenance', SIX, { plans: [{ ...plan, planName: 'Grote beurt' }] })).toBe(expected);
});

test('each maintenance plan that is due or soon due raises its own alert, named by plan and due time (16.1t)', () => {
  const plan = { by: 'hours', hoursLeft: -1, dueDay: null, daysLeft: null } as const;
  const plans = [
    { ...plan, state: 'due', planName: 'A', dueHours: 10 },
    { ...plan, state: 'soon', planName: 'B', dueHours: 20 },
    { ...plan, state: 'ok', planName: 'C', dueHours: 30 },
  ] as const;
  const found = evaluateTimerRule('maintenance', machineState({ plans }), {}, SIX);
  expect(found.map(({ subject }) => subject)).toEqual(['A bij 10 uur', 'B bij 20 uur']);
});

test.each<[silent: number, all: number, boolean]>([
  [4, 4, false],
  [5, 5, true],
  [5, 16, true],
  [5, 17, false],
  [29, 100, false],
  [30, 100, true],
  [3000, 10_000, true],
])('%i of %i machines silent together raise one alert: %s (16.1t)', (silent, all, expected) => {
  expect(isSharedSilence(silent, all)).toBe(expected);
});

describe('a fault code (42.54)', () => {
  const fault = (other: Partial<FaultEpisode> = {}): FaultEpisode => ({
    ...{ bus: 0, source: 0x21, spn: 100, fmi: 1, isOldLayout: false, lamp: 'stop', occurrences: 1 },
    ...{ since: SIX - 30 * MINUTE, lastSeen: SIX - 5 * MINUTE, over: null },
    ...other,
  });
  const evaluate = (faults: readonly FaultEpisode[], open: readonly FaultEpisode[] = [], settings = {}) =>
    evaluateTimerRule(
      'fault',
      machineState({ faults }),
      { hold: 0, clearHold: 10, ...settings },
      SIX,
      undefined,
      new Set(open.map(faultKey)),
    );

  test('an active fault code raises an alert with its code, lamp, ECU and start', () => {
    expect(evaluate([fault()])).toEqual([
      {
        since: SIX - 30 * MINUTE,
        at: SIX - 30 * MINUTE,
        figures: { bus: 0, source: 0x21, spn: 100, fmi: 1, isOldLayout: false, lamp: 'stop' },
        subject: '0.33.100.1',
      },
    ]);
  });

  test.each([
    ['seen two days ago', { lastSeen: SIX - 48 * 60 * MINUTE }, {}, 1],
    ['seen longer ago: an old log', { lastSeen: SIX - 48 * 60 * MINUTE - 1 }, {}, 0],
    ['over', { over: SIX - 4 * MINUTE }, {}, 0],
    ['as long as the rule asks', {}, { hold: 25 }, 1],
    ['shorter than the rule asks', {}, { hold: 26 }, 0],
  ])(
    'a fault code opens an alert if it is recent and lasted for the pending period: %s',
    (_, other, settings, count) => {
      expect(
        evaluate(
          [
            fault({
              since: SIX - 72 * 60 * MINUTE,
              ...other,
              ...('hold' in settings && { since: SIX - 30 * MINUTE }),
            }),
          ],
          [],
          settings,
        ),
      ).toHaveLength(count);
    },
  );

  test.each([
    ['its ECU is silent for a day', { lastSeen: SIX - 24 * 60 * MINUTE }, 1],
    ['it was over just now', { over: SIX - 10 * MINUTE + 1 }, 1],
    ['it was over for as long as the rule asks', { over: SIX - 10 * MINUTE }, 0],
  ])('the alert stays open until clearHold has passed since the end of the fault: %s', (_, other, count) => {
    const one = fault({ since: SIX - 48 * 60 * MINUTE, ...other });
    expect(evaluate([one], [one])).toHaveLength(count);
  });

  test('a fault code that returns before the pending period clearHold is over keeps its alert open', () => {
    const before = fault({ since: SIX - 50 * MINUTE, lastSeen: SIX - 41 * MINUTE, over: SIX - 40 * MINUTE });
    expect(evaluate([fault(), before], [before]).map(({ subject }) => subject)).toEqual([faultKey(before)]);
  });

  test('an ECU that reports hundreds of fault codes raises at most 20 alerts: open ones first, then the most severe', () => {
    const many = Array.from({ length: 200 }, (_, n) =>
      fault({ spn: n + 1, lamp: n < 100 ? null : n < 190 ? 'warning' : 'stop' }),
    );
    const open = [many[0] as FaultEpisode];
    const subjects = evaluate(many, open).map(({ subject }) => Number(subject.split('.')[2]));
    expect(subjects).toHaveLength(20);
    expect(subjects.slice(0, 11)).toEqual([1, ...Array.from({ length: 10 }, (_, n) => 191 + n)]);
  });
});
