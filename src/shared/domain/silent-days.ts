import { amsterdamDayRange, nextDay } from './amsterdam-time.ts';
import type { Range } from './intervals.ts';

/** A day with data, and the machine's project by position at the end of that day. */
export type DayWithData = { readonly day: string; readonly projectId: number | null };

/** The data from which a silent machine's project follows; times in ms. */
export type SilentDaysInput = {
  /** Times in which the machine belonged to the organization. */
  readonly own: readonly Range[];
  /** In order: the days with data in the period, and the last one before it. */
  readonly known: readonly DayWithData[];
  /** The machine's first day with data ever, and its first project by position then; undefined: the machine has no data. */
  readonly first: DayWithData | undefined;
  /** When the machine was entered in the portal. */
  readonly entered: number;
  /** Assignments by hand, not overlapping. */
  readonly assigned: readonly (Range & { readonly projectId: number })[];
  /** Times in which positions do not count for a project. */
  readonly exceptions: readonly (Range & { readonly projectId: number })[];
  /** The period of each project of the organization. */
  readonly times: ReadonlyMap<number, Range>;
};

type Days = { readonly firstDay: string; readonly lastDay: string };

/**
 * Returns the past days of a period that have no data, by the project that the machine was on: the one that it is assigned to by hand, else
 * that of its last positions (docs/figures.md section 13). From its entry in the portal to its first data, it is on its first project.
 * @param now ms
 * @param seesPlace returns whether the reader may know the machine's project by position on a day
 */
export function silentDays(
  { own, known, first, entered, assigned, exceptions, times }: SilentDaysInput,
  { firstDay, lastDay }: Days,
  now: number,
  seesPlace: (day: Range) => boolean,
): Map<number, string[]> {
  const found = new Map<number, string[]>();
  const knownByDay = new Map(known.map((one) => [one.day, one]));
  let last = known.findLast(({ day }) => day < firstDay);
  for (let day = firstDay; day <= lastDay; day = nextDay(day)) {
    const range = amsterdamDayRange(day);
    if (!range || range.to > now) break;
    const data = knownByDay.get(day);
    if (data) {
      last = data;
      continue;
    }
    const there = own.flatMap((interval) => inside(range, interval));
    const byHand = assigned.flatMap((one) =>
      inRanges(there, one)
        .flatMap((part) => inside(part, times.get(one.projectId)))
        .map((part) => ({ ...part, projectId: one.projectId })),
    );
    const projects = new Set(byHand.map(({ projectId }) => projectId));
    const since = last ?? (range.from >= entered ? first : undefined);
    const projectId = since?.projectId ?? undefined;
    const ofSince = since && amsterdamDayRange(since.day);
    if (projectId !== undefined && ofSince && seesPlace(range)) {
      const left = own
        .filter((interval) => inside(ofSince, interval).length > 0)
        .flatMap((interval) => inside(range, interval))
        .flatMap((part) => inside(part, times.get(projectId)))
        .flatMap((part) =>
          without(part, [...byHand, ...exceptions.filter((one) => one.projectId === projectId)]),
        );
      if (left.length > 0) projects.add(projectId);
    }
    for (const project of projects) found.set(project, [...(found.get(project) ?? []), day]);
  }
  return found;
}

const inRanges = (ranges: readonly Range[], other: Range): Range[] =>
  ranges.flatMap((range) => inside(range, other));

function inside(range: Range, other: Range | undefined): Range[] {
  if (!other) return [];
  const cut = { from: Math.max(range.from, other.from), to: Math.min(range.to, other.to) };
  return cut.from < cut.to ? [cut] : [];
}

/** Returns the parts of a range that lie outside the other ranges. */
const without = (range: Range, others: readonly Range[]): Range[] =>
  others.reduce(
    (parts: readonly Range[], { from, to }) =>
      parts.flatMap((part) => [
        ...inside(part, { from: part.from, to: from }),
        ...inside(part, { from: to, to: part.to }),
      ]),
    [range],
  ) as Range[];

/** Returns '10 van 14 dagen zonder gegevens'; '' when every day has data. */
export const silentDaysText = (silent: number, all: number): string =>
  silent > 0 ? `${silent} van ${all} ${all === 1 ? 'dag' : 'dagen'} zonder gegevens` : '';
