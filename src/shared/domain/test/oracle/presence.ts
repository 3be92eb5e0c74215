import type { Reading } from '#shared/domain/signal.ts';
import { type Area, areaSizeSquareMetres, metresOutside } from './area.ts';
import { metresBetween } from './counting.ts';
import { receivedIntervals } from './energy.ts';
import { type Position, positionsOf } from './path.ts';
import { type HourScatter, scatterOfHourBefore } from './scatter.ts';
import {
  bucketOf,
  bucketSlicesOf,
  FIVE_MINUTES_IN_MS,
  isInRange,
  overlapOf,
  ownedStreams,
  type Range,
  type ReadingStream,
  rangeLengthMs,
  UNLIMITED_RANGE,
} from './track.ts';

/** Computes the presences of machines on projects, as docs/figures.md section 13 defines. */

export const TWO_MINUTES = 120_000;

/** A machine that was in an area and is at most this many metres outside has not left it. */
const STILL_THERE = 25;

export type Project = {
  readonly id: number;
  readonly areas: readonly Area[];
  /** From the start of the project's first day to the end of its last day. */
  readonly during: Range;
};

/** An assignment by hand to a project. */
export type Assignment = Range & { readonly project: number };

export type Presence = Range & {
  readonly project: number;
  readonly by: 'hand' | 'position';
  /** Only in a presence by position: time with readings in buckets of 5 minutes without a position. */
  readonly unseenMs: number;
};

/** Returns the areas of a project at a time; none outside the project's period. */
const areasAt = ({ during, areas }: Project, time: number): readonly Area[] =>
  isInRange(during, time) ? areas : [];

/**
 * Returns the project with the smallest area (in whole m2) around the position; if areas are equal, the project
 * with the lower id.
 */
function projectAt(position: Position, projects: readonly Project[]): Project | undefined {
  const around = projects.flatMap((project) =>
    areasAt(project, position.time)
      .filter((area) => metresOutside(area, position) <= 0)
      .map((area) => ({ project, size: Math.round(areaSizeSquareMetres(area)) })),
  );
  return around.sort((a, b) => a.size - b.size || a.project.id - b.project.id)[0]?.project;
}

/** A presence on a project; its end is infinite if the machine is not known to have left. */
type Stay = Range & { readonly project: Project };

/** A machine whose positions of an hour scatter more than this, in metres, moved in that hour. */
const STOOD_WITHIN = 250;

/**
 * Returns whether a position is noise: it lies where the machine stood in the hour before, and by the middle of that hour's positions the
 * machine has not left its project `on`, or not entered the project `here` of the position.
 */
function isWander(
  hour: HourScatter,
  position: Position,
  here: Project | undefined,
  on: Project | undefined,
  projects: readonly Project[],
): boolean {
  if (hour.scatter > STOOD_WITHIN || metresBetween(hour, position) > hour.scatter) return false;
  const middle = { ...position, lat: hour.lat, lon: hour.lon };
  if (here !== undefined) return projectAt(middle, projects) !== here;
  return (
    on !== undefined &&
    areasAt(on, position.time).some((area) => metresOutside(area, middle) <= STILL_THERE + hour.scatter)
  );
}

function staysOf(positions: readonly Position[], projects: readonly Project[]): Stay[] {
  const stays: Stay[] = [];
  /** The present project, and since when the machine is on it. */
  let on: { readonly project: Project; readonly from: number } | undefined;
  /** Time of the first of the latest positions that are all outside the project; then of those that are all in another project. */
  let out: number | undefined;
  let entering: { readonly project: Project; readonly since: number } | undefined;
  /** Time of the first position that shows a pending arrival or departure. */
  let begun: number | undefined;

  for (const position of positions) {
    const { time } = position;
    const here = projectAt(position, projects);
    const isNear = (area: Area): boolean => metresOutside(area, position) <= STILL_THERE;
    const isStillThere =
      on !== undefined &&
      (here === on.project || (here === undefined && areasAt(on.project, time).some(isNear)));
    const hour =
      isStillThere || (on === undefined && here === undefined)
        ? undefined
        : scatterOfHourBefore(positions, begun ?? time);
    if (isStillThere || (hour && isWander(hour, position, here, on?.project, projects))) {
      out = undefined;
      entering = undefined;
      begun = undefined;
      continue;
    }
    begun ??= time;
    out ??= time;
    if (here === undefined) entering = undefined;
    else if (entering?.project !== here) entering = { project: here, since: time };

    const isIn = entering !== undefined && time - entering.since >= TWO_MINUTES;
    if (isIn || time - out >= TWO_MINUTES) {
      if (on !== undefined) stays.push({ ...on, to: out });
      on = undefined;
    }
    if (isIn && entering !== undefined) {
      on = { project: entering.project, from: entering.since };
      out = undefined;
      entering = undefined;
      begun = undefined;
    }
    if (on === undefined && here === undefined) begun = undefined;
  }
  if (on !== undefined) stays.push({ ...on, to: Number.POSITIVE_INFINITY });
  return stays;
}

/** Returns the parts of a range that lie outside `others`. */
const without = (range: Range, others: readonly Range[]): Range[] =>
  others.reduce<Range[]>(
    (left, { from, to }) =>
      left.flatMap((part) =>
        [
          { from: part.from, to: Math.min(part.to, from) },
          { from: Math.max(part.from, to), to: part.to },
        ].filter((rest) => rest.from < rest.to),
      ),
    [range],
  );

/** Returns the time with readings in the buckets of 5 min of a range that have no position, ms. */
export function timeWithoutPositionMs(left: Range, stream: ReadingStream): number {
  const positions = positionsOf(stream);
  return receivedIntervals(stream)
    .flatMap((interval) => bucketSlicesOf(interval, left))
    .filter(({ from }) => {
      const five = { from: bucketOf(from), to: bucketOf(from) + FIVE_MINUTES_IN_MS };
      return !positions.some(({ time }) => isInRange(five, time) && isInRange(left, time));
    })
    .reduce((sum, piece) => sum + rangeLengthMs(piece), 0);
}

/** Returns the presences in order of time. Each period of ownership begins on no project. */
export function computePresences(
  readings: readonly Reading[],
  projects: readonly Project[],
  assignments: readonly Assignment[] = [],
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): Presence[] {
  const duringOf = new Map(projects.map(({ id, during }) => [id, during]));
  return ownedStreams(readings, ownRanges)
    .flatMap(({ ownRange, stream }) => {
      const byHand = assignments.flatMap(({ project, from, to }): Presence[] => {
        const during = duringOf.get(project);
        const inTime = during === undefined ? undefined : overlapOf({ from, to }, during);
        const part = inTime === undefined ? undefined : overlapOf(inTime, ownRange);
        return part === undefined ? [] : [{ project, by: 'hand', ...part, unseenMs: 0 }];
      });
      const positions = positionsOf(stream);
      const byPosition = staysOf(positions, projects).flatMap(({ project, from, to }): Presence[] => {
        const inTime = overlapOf({ from, to }, project.during);
        const part = inTime === undefined ? undefined : overlapOf(inTime, ownRange);
        if (part === undefined) return [];
        return without(part, byHand).map((left) => ({
          project: project.id,
          by: 'position',
          ...left,
          unseenMs: timeWithoutPositionMs(left, stream),
        }));
      });
      return [...byHand, ...byPosition];
    })
    .sort((a, b) => a.from - b.from);
}
