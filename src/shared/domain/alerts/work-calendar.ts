/** The working hours of one machine: by its own work week, else its project's, else its label's, else its organization's. */

import type { Range } from '../intervals.ts';
import { isWorkTime, shiftAt, shiftsIn, type WorkWeek } from './work-week.ts';

/** Owners of a work week other than the organization, by precedence. */
export const WORK_WEEK_OWNERS = ['machine', 'project', 'label'] as const;
export type WorkWeekOwner = (typeof WORK_WEEK_OWNERS)[number];

/** A period on a project in ms, half-open; `week` undefined: the project has no work week of its own. */
export type ProjectTimeWithWeek = Range & { readonly week: WorkWeek | undefined };

export type WorkCalendar = {
  /** The machine's own week, which takes precedence over projects; undefined: the machine has no week of its own. */
  readonly own: WorkWeek | undefined;
  /** At a given time, the week of the first period that contains it applies; manual assignments come before detected presences. */
  readonly projects: readonly ProjectTimeWithWeek[];
  /** The week of the machine's label, else of its organization. */
  readonly usual: WorkWeek;
};

/** Returns the calendar of a machine that has the same week at all times. */
export const constantWorkCalendar = (week: WorkWeek): WorkCalendar => ({
  own: undefined,
  projects: [],
  usual: week,
});

/** Returns the work week of the machine at a moment, in ms. */
export function workWeekAt({ own, projects, usual }: WorkCalendar, ms: number): WorkWeek {
  return own ?? projects.find(({ from, to }) => from <= ms && ms < to)?.week ?? usual;
}

/**
 * Returns the periods on projects, followed by the rest of each shift that was running when a period ended: a crew that drives home
 * before its shift ends, or at midnight of the project's last day, is at work.
 */
export const withRestOfShift = (times: readonly ProjectTimeWithWeek[]): ProjectTimeWithWeek[] => [
  ...times,
  ...times.flatMap(({ to, week }) => {
    const shift = week && Number.isFinite(to) ? shiftAt(week, to - 1) : undefined;
    return shift && shift.to > to ? [{ from: to, to: shift.to, week }] : [];
  }),
];

/** Returns the working hours of a range in ms, in order and disjoint: half-open shifts, cut where the week changes. */
export function workRangesIn(calendar: WorkCalendar, range: Range): Range[] {
  const { own, projects, usual } = calendar;
  if (own || projects.length === 0) return shiftsIn(own ?? usual, range);
  const weeks = [...new Set([usual, ...projects.flatMap(({ week }) => week ?? [])])];
  const shifts = new Map(weeks.map((week) => [week, shiftsOver(week, range)]));
  const ends = projects.flatMap(({ from, to }) => [from, to]);
  const borders = [...new Set([range.from, ...ends, range.to])]
    .filter((ms) => ms >= range.from && ms <= range.to)
    .sort((a, b) => a - b);
  const pieces = borders.slice(1).flatMap((to, n) => {
    const from = borders[n] as number;
    return (shifts.get(workWeekAt(calendar, from)) ?? [])
      .filter((shift) => shift.from < to && shift.to > from)
      .map((shift) => ({ from: Math.max(shift.from, from), to: Math.min(shift.to, to) }));
  });
  const joined: Range[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && last.to >= piece.from) joined[joined.length - 1] = { from: last.from, to: piece.to };
    else joined.push(piece);
  }
  return joined;
}

/** Returns the shifts that begin in a range, and the shift that is running at its start. */
function shiftsOver(week: WorkWeek, range: Range): Range[] {
  const running = shiftAt(week, range.from - 1);
  return [...(running ? [running] : []), ...shiftsIn(week, range)];
}

/** Returns whether a moment, in ms, is inside the machine's working hours. */
export const isWorkAt = (calendar: WorkCalendar, ms: number): boolean =>
  isWorkTime(workWeekAt(calendar, ms), ms);
