import type { Reading } from '#shared/domain/signal.ts';
import { receivedIntervals } from './energy.ts';
import { chargingIntervals, ownedTimeIn, runningIntervals, runningIntervalsOnCable } from './hours.ts';
import {
  type Interval,
  isInRange,
  overlapOf,
  ownedStreams,
  type Range,
  rangeLengthMs,
  timeInsideRangeMs,
  UNLIMITED_RANGE,
} from './track.ts';

/** Computes the status of a machine in a range, as docs/figures.md section 8 defines. */

/** Returns bands inside the range: intervals without a pause between them are one band. */
function bandsOf(intervals: readonly Range[], range: Range): Range[] {
  const result: Range[] = [];
  for (const interval of intervals.toSorted((a, b) => a.from - b.from)) {
    const inside = overlapOf(interval, range);
    const last = result.at(-1);
    if (inside === undefined) continue;
    if (last !== undefined && inside.from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, inside.to) };
    } else result.push(inside);
  }
  return result;
}

export type ActivityBands = { readonly running: readonly Range[]; readonly charging: readonly Range[] };

/** Returns the bands of running and of charging, each in order of time; a running band may overlap a charging band. */
export function activityBands(
  readings: readonly Reading[],
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): ActivityBands {
  const streams = ownedStreams(readings, ownRanges).map(({ stream }) => stream);
  return {
    running: streams.flatMap((stream) => bandsOf(runningIntervals(stream), range)),
    charging: streams.flatMap((stream) => bandsOf(chargingIntervals(stream), range)),
  };
}

/** The status of a machine; on the screen 'Laden', 'Draait', 'Uit' and 'geen gegevens'. */
export type Status = 'charging' | 'running' | 'off' | 'no data';
export type StatusPart = Range & { readonly status: Status };

/** Returns the status of the machine at each instant of the caller's part of a range, up to now. */
export function statusTimeline(
  readings: readonly Reading[],
  range: Range,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
  now: number = range.to,
): StatusPart[] {
  return ownedStreams(readings, ownRanges).flatMap(({ ownRange, stream }) => {
    const part = overlapOf(overlapOf(ownRange, range) ?? { from: 0, to: 0 }, { from: range.from, to: now });
    if (part === undefined) return [];
    // The first layer that contains a moment gives its status.
    const layers: readonly (readonly [Status, readonly Range[]])[] = [
      ['charging', bandsOf(chargingIntervals(stream), part)],
      ['running', bandsOf(runningIntervals(stream), part)],
      ['off', bandsOf(receivedIntervals(stream), part)],
    ];
    const ends = layers.flatMap(([, list]) => list.flatMap(({ from, to }) => [from, to]));
    const cuts = [...new Set([part.from, ...ends, part.to])].sort((a, b) => a - b);
    const parts: StatusPart[] = [];
    // The cuts are in order of time, so that the search in each layer continues at the band of the cut before.
    const reached = layers.map(() => 0);
    for (const [n, from] of cuts.slice(0, -1).entries()) {
      const status =
        layers.find(([, list], layer) => {
          let at = reached[layer] ?? 0;
          while ((list[at]?.to ?? Number.POSITIVE_INFINITY) <= from) at++;
          reached[layer] = at;
          const band = list[at];
          return band !== undefined && isInRange(band, from);
        })?.[0] ?? 'no data';
      const to = cuts[n + 1] ?? part.to;
      const last = parts.at(-1);
      if (last?.status === status) parts[parts.length - 1] = { status, from: last.from, to };
      else parts.push({ status, from, to });
    }
    return parts;
  });
}

/** Ms. */
export type StatusSums = {
  readonly runningMs: number;
  readonly chargingMs: number;
  readonly offMs: number;
  readonly noDataMs: number;
  readonly heardMs: number;
  /** Time running while the charging cable charges the batteries. */
  readonly cableMs: number;
};

export function statusSums(
  readings: readonly Reading[],
  range: Range,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
  now: number = range.to,
): StatusSums {
  const owned = ownedStreams(readings, ownRanges);
  const runningMs = ownedTimeIn(owned, range, runningIntervals);
  const chargingMs = ownedTimeIn(owned, range, chargingIntervals);
  const heardMs = ownedTimeIn(owned, range, receivedIntervals);
  const cableMs = ownedTimeIn(owned, range, runningIntervalsOnCable);
  const upToNow = { from: range.from, to: Math.min(range.to, now) };
  const ownedMs = owned.reduce((sum, { ownRange }) => {
    const part = overlapOf(ownRange, upToNow);
    return sum + (part === undefined ? 0 : rangeLengthMs(part));
  }, 0);
  return {
    runningMs,
    chargingMs,
    offMs: Math.max(0, heardMs - runningMs - chargingMs + cableMs),
    noDataMs: ownedMs - heardMs,
    heardMs,
    cableMs,
  };
}

/**
 * Returns bands for a drawing in which each cell has at most one band: the band begins with the cell, and is as long
 * as the time of the intervals in the cell. Bands of full cells are joined.
 */
export function coarseActivityBands(intervals: readonly Range[], cells: readonly Range[]): Range[] {
  const drawn = cells.flatMap((cell) => {
    const ms = timeInsideRangeMs(intervals, cell);
    return ms === 0 ? [] : [{ from: cell.from, to: cell.from + ms }];
  });
  return bandsOf(drawn, UNLIMITED_RANGE);
}

/** Returns the codes and how long each held; the last value before silence is an instant (from = to). */
export function computeCodeIntervals(
  readings: readonly Reading[],
  name: string,
  range: Range = UNLIMITED_RANGE,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
): Interval[] {
  return ownedStreams(readings, ownRanges).flatMap(({ stream }) => {
    const track = stream.track(name);
    const intervals = new Map(track.intervals().map((interval) => [interval.from, interval]));
    const drawn: Interval[] = [];
    for (const { time, value } of track.points) {
      const interval = intervals.get(time);
      const inside = interval === undefined ? undefined : overlapOf(interval, range);
      const last = drawn.at(-1);
      if (inside !== undefined) {
        if (last?.value === value && last.to === inside.from) {
          drawn[drawn.length - 1] = { value, from: last.from, to: inside.to };
        } else drawn.push({ value, ...inside });
      } else if (interval === undefined && isInRange(range, time)) {
        // An instant at the end of a band of the same code adds nothing to draw.
        if (last?.value !== value || last.to !== time) drawn.push({ value, from: time, to: time });
      }
    }
    return drawn;
  });
}

/** Returns how long each code held in the caller's part of the range, and how long none did up to now, ms. */
export function durationsByCode(
  readings: readonly Reading[],
  name: string,
  range: Range,
  ownRanges: readonly Range[] = [UNLIMITED_RANGE],
  now: number = range.to,
): { readonly ofCode: ReadonlyMap<number, number>; readonly noDataMs: number } {
  const upToNow = { from: range.from, to: Math.min(range.to, now) };
  const ofCode = new Map<number, number>();
  let noDataMs = 0;
  for (const { ownRange, stream } of ownedStreams(readings, ownRanges)) {
    const part = overlapOf(ownRange, upToNow);
    if (part === undefined) continue;
    const intervals = stream.track(name).intervals();
    for (const value of new Set(intervals.map((interval) => interval.value))) {
      const held = timeInsideRangeMs(
        intervals.filter((interval) => interval.value === value),
        part,
      );
      if (held > 0) ofCode.set(value, (ofCode.get(value) ?? 0) + held);
    }
    noDataMs += rangeLengthMs(part) - timeInsideRangeMs(intervals, part);
  }
  return { ofCode, noDataMs };
}
