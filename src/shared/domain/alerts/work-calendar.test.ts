import { expect, test } from 'vitest';
import {
  constantWorkCalendar,
  isWorkAt,
  type WorkCalendar,
  withRestOfShift,
  workRangesIn,
  workWeekAt,
} from './work-calendar.ts';
import { DEFAULT_WORK_WEEK, shiftAt, shiftsIn, type WorkWeek, weekErrors } from './work-week.ts';

const everyDay = (from: string, to: string): WorkWeek => ({
  workDays: Array(7).fill({ from, to }),
  nationalHolidays: false,
  ownHolidays: [],
});
const NIGHT = everyDay('22:00', '06:00');
const ALWAYS = everyDay('00:00', '00:00');
const EARLY = everyDay('05:00', '14:00');
/** Winter time: Amsterdam is one hour ahead. */
const at = (text: string): number => Date.parse(`2026-11-${text}:00+01:00`);
const onProject = (from: string, to: string, week: WorkWeek | undefined) => ({
  from: at(from),
  to: at(to),
  week,
});

test('a machine’s own work week overrules its project’s, which overrules its label’s or organization’s (53.6)', () => {
  const projects = [onProject('10T00:00', '11T00:00', NIGHT)];
  const calendar: WorkCalendar = { own: undefined, projects, usual: DEFAULT_WORK_WEEK };
  expect(workWeekAt(calendar, at('10T12:00'))).toBe(NIGHT);
  expect(workWeekAt(calendar, at('11T00:00'))).toBe(DEFAULT_WORK_WEEK);
  expect(workWeekAt({ ...calendar, own: EARLY }, at('10T12:00'))).toBe(EARLY);
});

test('the label’s or organization’s work week applies while a machine is assigned by hand to a project without a work week (53.6)', () => {
  const projects = [onProject('10T08:00', '10T12:00', undefined), onProject('10T00:00', '11T00:00', NIGHT)];
  expect(workWeekAt({ own: undefined, projects, usual: DEFAULT_WORK_WEEK }, at('10T09:00'))).toBe(
    DEFAULT_WORK_WEEK,
  );
});

test('a shift that is running when a machine leaves its project, or when the project ends, lasts until its normal end (53.6)', () => {
  const projects = withRestOfShift([onProject('10T21:00', '11T00:00', NIGHT)]);
  const calendar: WorkCalendar = { own: undefined, projects, usual: DEFAULT_WORK_WEEK };
  expect(isWorkAt(calendar, at('11T05:59'))).toBe(true);
  expect(isWorkAt(calendar, at('11T06:00'))).toBe(false);
  expect(isWorkAt(calendar, at('11T07:00'))).toBe(true);
});

test('a machine that leaves its project at the end of the shift is outside working hours at once (53.6)', () => {
  const projects = withRestOfShift([onProject('10T21:00', '11T06:00', NIGHT)]);
  expect(isWorkAt({ own: undefined, projects, usual: DEFAULT_WORK_WEEK }, at('11T06:00'))).toBe(false);
});

test('a work week of days from 00:00 to 00:00 is valid and has no moment outside working hours (53.6)', () => {
  expect(weekErrors(ALWAYS)).toEqual([]);
  const range = { from: at('09T00:00'), to: at('12T00:00') };
  expect(
    workRangesIn(
      { ...constantWorkCalendar(ALWAYS), projects: [onProject('10T00:00', '11T00:00', ALWAYS)] },
      range,
    ),
  ).toEqual([range]);
  expect(shiftAt(ALWAYS, at('10T23:59'))).toEqual({ from: at('10T00:00'), to: at('11T00:00') });
});

test('a work day that begins and ends at the same time, other than 00:00, is refused (53.6)', () => {
  expect(weekErrors(everyDay('07:00', '07:00'))).toHaveLength(7);
});

test('workRangesIn returns exactly the moments of a range for which isWorkAt is true (53.6)', () => {
  const projects = withRestOfShift([
    onProject('09T10:00', '09T18:00', undefined),
    onProject('08T20:00', '10T03:00', NIGHT),
    onProject('11T13:00', '12T13:00', ALWAYS),
  ]);
  const calendar: WorkCalendar = { own: undefined, projects, usual: EARLY };
  const range = { from: at('08T00:00'), to: at('14T00:00') };
  const found = workRangesIn(calendar, range);
  const differs = [];
  for (let ms = range.from; ms < range.to; ms += 60_000)
    if (found.some(({ from, to }) => from <= ms && ms < to) !== isWorkAt(calendar, ms))
      differs.push(new Date(ms));
  expect(differs).toEqual([]);
  expect(workRangesIn(constantWorkCalendar(EARLY), range)).toEqual(shiftsIn(EARLY, range));
});
