import { expect, test } from 'vitest';
import { amsterdamDayRange } from './amsterdam-time.ts';
import type { Range } from './intervals.ts';
import { type SilentDaysInput, silentDays, silentDaysText } from './silent-days.ts';

const at = (day: string, hour = 0): number => (amsterdamDayRange(day) as Range).from + hour * 3_600_000;
const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
const NOW = at('2026-11-20', 12);
const DAYS = { firstDay: '2026-11-02', lastDay: '2026-11-08' };
const machine = (fields: Partial<SilentDaysInput>): SilentDaysInput => ({
  own: [ALWAYS],
  known: [],
  first: undefined,
  entered: Number.NEGATIVE_INFINITY,
  assigned: [],
  exceptions: [],
  times: new Map([
    [1, ALWAYS],
    [2, ALWAYS],
  ]),
  ...fields,
});
const found = (fields: Partial<SilentDaysInput>, now = NOW, seesPlace = true) =>
  Object.fromEntries(silentDays(machine(fields), DAYS, now, () => seesPlace));
const november = (...days: readonly number[]): string[] => days.map((day) => `2026-11-0${day}`);

test('Q1: a machine whose last data are on a project is on it on the following days without data (53.4)', () => {
  const known = [
    { day: '2026-10-30', projectId: 1 },
    { day: '2026-11-04', projectId: 2 },
    { day: '2026-11-07', projectId: null },
  ];
  expect(found({ known })).toEqual({ 1: november(2, 3), 2: november(5, 6) });
  expect(found({ known }, NOW, false)).toEqual({});
});

test('Q2: a machine counts as on its first project from its entry in the portal to its first data (53.4)', () => {
  const first = { day: '2026-11-06', projectId: 1 };
  const known = [first];
  expect(found({ known, first })).toEqual({ 1: november(2, 3, 4, 5, 7, 8) });
  expect(found({ known, first, entered: at('2026-11-04', 9) })).toEqual({ 1: november(5, 7, 8) });
  expect(found({ first: { day: '2026-11-12', projectId: 1 } })).toEqual({
    1: november(2, 3, 4, 5, 6, 7, 8),
  });
  const own = [{ from: at('2026-11-05', 9), to: Number.POSITIVE_INFINITY }];
  expect(found({ known, first, own })).toEqual({ 1: november(5, 7, 8) });
  expect(found({ known, first }, NOW, false)).toEqual({});
});

test('Q3: a machine that is assigned by hand is on that project, whatever its positions say and also without data (53.4)', () => {
  const known = [{ day: '2026-11-06', projectId: 1 }];
  const assigned = [{ from: at('2026-11-03', 22), to: at('2026-11-08'), projectId: 2 }];
  expect(found({ known, assigned })).toEqual({ 2: november(3, 4, 5, 7), 1: november(8) });
  expect(found({ known, assigned }, NOW, false)).toEqual({ 2: november(3, 4, 5, 7) });
});

test('Q4: days of another owner, days outside the project’s period and the current day are no silent days (53.4)', () => {
  const known = [{ day: '2026-10-30', projectId: 1 }];
  const own = [{ from: Number.NEGATIVE_INFINITY, to: at('2026-11-04', 6) }];
  expect(found({ known, own })).toEqual({ 1: november(2, 3, 4) });
  const back = [
    { from: Number.NEGATIVE_INFINITY, to: at('2026-11-01') },
    { from: at('2026-11-05'), to: Number.POSITIVE_INFINITY },
  ];
  expect(found({ known, own: back })).toEqual({});
  const times = new Map([[1, { from: at('2026-11-03'), to: at('2026-11-05') }]]);
  expect(found({ known, times })).toEqual({ 1: november(3, 4) });
  expect(found({ known }, at('2026-11-04'))).toEqual({ 1: november(2, 3) });
});

test('the text about silent days also says how many days the machine was on the project (53.4)', () => {
  expect(silentDaysText(10, 14)).toBe('10 van 14 dagen zonder gegevens');
  expect(silentDaysText(1, 1)).toBe('1 van 1 dag zonder gegevens');
  expect(silentDaysText(0, 4)).toBe('');
});

test('Q1: a machine that was taken off a project is not on it on later days without data (53.17)', () => {
  const known = [{ day: '2026-10-30', projectId: 1 }];
  const exceptions = [{ projectId: 1, from: at('2026-11-04', 9), to: Number.POSITIVE_INFINITY }];
  expect(found({ known, exceptions })).toEqual({ 1: november(2, 3, 4) });
});
