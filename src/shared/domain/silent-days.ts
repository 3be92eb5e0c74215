import { dayOf, nextDay } from './amsterdam-time.ts';
import type { Range } from './intervals.ts';

/** A day with data, and the project that the machine was on at its end by position. */
export type KnownDay = { readonly day: string; readonly projectId: number | null };

/** All that decides on which project a silent machine is; ms. */
export type Whereabouts = {
  /** When it was the organization's. */
  readonly own: readonly Range[];
  /** In order: those of the period, and the last one before. */
  readonly known: readonly KnownDay[];
  /** Its first day with data at all, and the project that it was on first then by position; undefined: it has none. */
  readonly first: KnownDay | undefined;
  /** When it was entered in the portal; ms. */
  readonly entered: number;
  /** By hand, none overlapping. */
  readonly assigned: readonly (Range & { readonly projectId: number })[];
  /** When positions do not count for a project. */
  readonly exceptions: readonly (Range & { readonly projectId: number })[];
  /** The time of each project of the organization. */
  readonly times: ReadonlyMap<number, Range>;
};

type Days = { readonly firstDay: string; readonly lastDay: string };

/**
 * Days of a period without any data, by the project that the machine was on: by hand, else where its last positions were (docs/figures.md
 * section 13). Only days that are over. Before its first data a machine is where it was first, from when it was entered in the portal.
 * @param now ms
 * @param seesPlace whether the reader may know where a machine was by position at some time of a day
 */
export function silentDays(
  { own, known, first, entered, assigned, exceptions, times }: Whereabouts,
  { firstDay, lastDay }: Days,
  now: number,
  seesPlace: (day: Range) => boolean,
): Map<number, string[]> {
  const found = new Map<number, string[]>();
  const heard = new Map(known.map((one) => [one.day, one]));
  let last = known.findLast(({ day }) => day < firstDay);
  for (let day = firstDay; day <= lastDay; day = nextDay(day)) {
    const range = dayOf(day);
    if (!range || range.to > now) break;
    const data = heard.get(day);
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
    const ofSince = since && dayOf(since.day);
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

/** The parts of a range that lie outside of the others. */
const without = (range: Range, others: readonly Range[]): Range[] =>
  others.reduce(
    (parts: readonly Range[], { from, to }) =>
      parts.flatMap((part) => [
        ...inside(part, { from: part.from, to: from }),
        ...inside(part, { from: to, to: part.to }),
      ]),
    [range],
  ) as Range[];

/** '10 van 14 dagen zonder gegevens'; '' where each day has data. */
export const silentDaysText = (silent: number, all: number): string =>
  silent > 0 ? `${silent} van ${all} ${all === 1 ? 'dag' : 'dagen'} zonder gegevens` : '';
