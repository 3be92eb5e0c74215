import { expect, test } from 'vitest';
import { type ClockKind, usualSettings } from './kinds.ts';
import { type Charge, isManyAtOnce, judgeStanding, type Standing } from './standing.ts';
import { USUAL_WEEK } from './work-week.ts';

/** Amsterdam, in winter. */
const at = (day: string, clock: string): number => Date.parse(`${day}T${clock}:00+01:00`);
const FRIDAY = '2026-03-06';
const SATURDAY = '2026-03-07';
const MONDAY = '2026-03-09';

const standing = (other: Partial<Standing>): Standing => ({
  heardAt: at(MONDAY, '05:55'),
  week: USUAL_WEEK,
  charge: undefined,
  plans: [],
  ...other,
});
const told = (kind: ClockKind, now: number, other: Partial<Standing>, settings = usualSettings(kind)) =>
  judgeStanding(kind, standing(other), settings, now)[0]?.words;

test.each<[string, ClockKind, heardAt: number | undefined, now: number, string | undefined]>([
  ['a minute before', 'silent', at(FRIDAY, '12:00'), at(SATURDAY, '11:59'), undefined],
  ['by its hours', 'silent', at(FRIDAY, '12:00'), at(SATURDAY, '12:00'), 'al 1 dag niets gehoord'],
  ['one that never was heard', 'silent', undefined, at(SATURDAY, '12:00'), undefined],
  ['one that never was heard', 'unseen', undefined, at(MONDAY, '12:00'), undefined],
  [
    'an hour after the shift began',
    'unseen',
    at(FRIDAY, '16:00'),
    at(MONDAY, '08:00'),
    'al 2 dagen niets gehoord',
  ],
  ['a minute before', 'unseen', at(FRIDAY, '16:00'), at(MONDAY, '07:59'), undefined],
  ['on a day off', 'unseen', at(FRIDAY, '16:00'), at(SATURDAY, '12:00'), undefined],
  ['heard in this shift', 'unseen', at(MONDAY, '07:00'), at(MONDAY, '16:00'), undefined],
  ['heard just before it', 'unseen', at(MONDAY, '06:59'), at(MONDAY, '08:00'), 'al 1 uur niets gehoord'],
])('16.1t %s: %s', (_, kind, heardAt, now, expected) => {
  expect(told(kind, now, { heardAt })).toBe(expected);
});

const SIX = at(MONDAY, '06:00');
const MINUTE = 60_000;
const charge = (other: Partial<Charge>): Charge => ({
  percent: 60,
  at: SIX - MINUTE,
  isCharging: false,
  full: undefined,
  takesMs: undefined,
  ...other,
});
const full = (from: string, to: string) => ({ from: at(MONDAY, from), to: at(MONDAY, to) });

test.each<[string, Partial<Charge> | undefined, now: number, string | undefined]>([
  ['nothing known', undefined, SIX, undefined],
  ['enough', { percent: 90 }, SIX, undefined],
  ['not charging', {}, SIX, 'accu op 60%, laadt niet'],
  ['too early to say', {}, at(MONDAY, '04:59'), undefined],
  ['two hours before', {}, at(MONDAY, '05:00'), 'accu op 60%, laadt niet'],
  ['the shift has begun', {}, at(MONDAY, '07:00'), undefined],
  ['full in time', { isCharging: true, full: full('06:30', '07:00') }, SIX, undefined],
  [
    'perhaps not',
    { isCharging: true, full: full('06:45', '07:05') },
    SIX,
    'accu op 60%, laadt; vol tussen 06:45 en 07:05',
  ],
  ['no telling when', { isCharging: true }, SIX, 'accu op 60%, laadt; wanneer hij vol is, is niet bekend'],
  [
    'it can be made',
    { takesMs: 40 * MINUTE },
    SIX,
    'accu op 60%, laadt niet; vol lukt nog met de lader eraan voor 06:20',
  ],
  ['it cannot', { takesMs: 60 * MINUTE }, SIX, 'accu op 60%, laadt niet; vol om 07:00 lukt niet meer'],
  [
    'heard a while ago, whatever it did then',
    { at: at(MONDAY, '00:10'), isCharging: true, full: full('01:00', '01:20') },
    SIX,
    'accu om 00:10 op 60%, laadt niet',
  ],
])('16.1t not full: %s', (_, known, now, expected) => {
  expect(told('not-full', now, { charge: known && charge(known) })).toBe(expected);
});

test('16.1t not full: nobody works tomorrow, and nothing is told', () => {
  const now = at(SATURDAY, '06:00');
  expect(told('not-full', now, { charge: charge({ at: now }) })).toBeUndefined();
});

test.each([
  ['ok', 'hours', undefined],
  ['soon', 'hours', 'Grote beurt bij 1.500 uur'],
  ['due', 'date', 'Grote beurt op 01-04-2026'],
] as const)('16.1t maintenance that is %s by %s', (state, by, expected) => {
  const plan = { state, by, dueHours: 1500, hoursLeft: 20, dueDay: '2026-04-01', daysLeft: 22 };
  expect(told('maintenance', SIX, { plans: [{ ...plan, planName: 'Grote beurt' }] })).toBe(expected);
});

test('16.1t maintenance: each plan that is due is one thing, and its next time another', () => {
  const plan = { by: 'hours', hoursLeft: -1, dueDay: null, daysLeft: null } as const;
  const plans = [
    { ...plan, state: 'due', planName: 'A', dueHours: 10 },
    { ...plan, state: 'soon', planName: 'B', dueHours: 20 },
    { ...plan, state: 'ok', planName: 'C', dueHours: 30 },
  ] as const;
  const found = judgeStanding('maintenance', standing({ plans }), {}, SIX);
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
])('16.1t %i of %i machines silent together are one alert: %s', (silent, all, expected) => {
  expect(isManyAtOnce(silent, all)).toBe(expected);
});
