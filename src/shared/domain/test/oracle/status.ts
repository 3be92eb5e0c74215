import type { Reading } from '#shared/domain/signal.ts';
import { heardStretches } from './energy.ts';
import { chargingStretches, ownedTimeIn, runningOnCable, runningStretches } from './hours.ts';
import { ALWAYS, isIn, length, overlapOf, ownedStreams, type Range, type Stretch, timeIn } from './track.ts';

/** Status of a range: docs/figures.md section 8. */

/** Stretches that follow each other without a pause as one band, inside the range. */
function bandsOf(stretches: readonly Range[], range: Range): Range[] {
  const result: Range[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    const inside = overlapOf(stretch, range);
    const last = result.at(-1);
    if (inside === undefined) continue;
    if (last !== undefined && inside.from <= last.to) {
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, inside.to) };
    } else result.push(inside);
  }
  return result;
}

export type Bands = { readonly running: readonly Range[]; readonly charging: readonly Range[] };

/** Bands of running and of charging, in order of time; one of each may overlap. */
export function bands(
  readings: readonly Reading[],
  range: Range = ALWAYS,
  intervals: readonly Range[] = [ALWAYS],
): Bands {
  const streams = ownedStreams(readings, intervals).map(({ stream }) => stream);
  return {
    running: streams.flatMap((stream) => bandsOf(runningStretches(stream), range)),
    charging: streams.flatMap((stream) => bandsOf(chargingStretches(stream), range)),
  };
}

/** Laden, Draait, Uit, geen gegevens. */
export type Status = 'charging' | 'running' | 'off' | 'no data';
export type StatusPart = Range & { readonly status: Status };

/** What the machine did at each instant of the caller's part of a range, up to now. */
export function timeline(
  readings: readonly Reading[],
  range: Range,
  intervals: readonly Range[] = [ALWAYS],
  now: number = range.to,
): StatusPart[] {
  return ownedStreams(readings, intervals).flatMap(({ interval, stream }) => {
    const part = overlapOf(overlapOf(interval, range) ?? { from: 0, to: 0 }, { from: range.from, to: now });
    if (part === undefined) return [];
    // The first that holds.
    const layers: readonly (readonly [Status, readonly Range[]])[] = [
      ['charging', bandsOf(chargingStretches(stream), part)],
      ['running', bandsOf(runningStretches(stream), part)],
      ['off', bandsOf(heardStretches(stream), part)],
    ];
    const ends = layers.flatMap(([, list]) => list.flatMap(({ from, to }) => [from, to]));
    const cuts = [...new Set([part.from, ...ends, part.to])].sort((a, b) => a - b);
    const parts: StatusPart[] = [];
    // Cuts only grow, so the band of a layer that a moment lies in is never before the one of the last moment.
    const reached = layers.map(() => 0);
    for (const [n, from] of cuts.slice(0, -1).entries()) {
      const status =
        layers.find(([, list], layer) => {
          let at = reached[layer] ?? 0;
          while ((list[at]?.to ?? Number.POSITIVE_INFINITY) <= from) at++;
          reached[layer] = at;
          const band = list[at];
          return band !== undefined && isIn(band, from);
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
  /** Running with the cable charging. */
  readonly cableMs: number;
};

export function statusSums(
  readings: readonly Reading[],
  range: Range,
  intervals: readonly Range[] = [ALWAYS],
  now: number = range.to,
): StatusSums {
  const owned = ownedStreams(readings, intervals);
  const runningMs = ownedTimeIn(owned, range, runningStretches);
  const chargingMs = ownedTimeIn(owned, range, chargingStretches);
  const heardMs = ownedTimeIn(owned, range, heardStretches);
  const cableMs = ownedTimeIn(owned, range, runningOnCable);
  const upToNow = { from: range.from, to: Math.min(range.to, now) };
  const ownedMs = owned.reduce((sum, { interval }) => {
    const part = overlapOf(interval, upToNow);
    return sum + (part === undefined ? 0 : length(part));
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

/** Bands of a coarse drawing: in a cell as long as the cell's time, from the cell's start; joined where full. */
export function coarseBands(stretches: readonly Range[], cells: readonly Range[]): Range[] {
  const drawn = cells.flatMap((cell) => {
    const ms = timeIn(stretches, cell);
    return ms === 0 ? [] : [{ from: cell.from, to: cell.from + ms }];
  });
  return bandsOf(drawn, ALWAYS);
}

/** A code and how long it held; an instant (from = to) where it was the last value before silence. */
export function codeBands(
  readings: readonly Reading[],
  name: string,
  range: Range = ALWAYS,
  intervals: readonly Range[] = [ALWAYS],
): Stretch[] {
  return ownedStreams(readings, intervals).flatMap(({ stream }) => {
    const track = stream.track(name);
    const stretches = new Map(track.stretches().map((stretch) => [stretch.from, stretch]));
    const drawn: Stretch[] = [];
    for (const { time, value } of track.points) {
      const stretch = stretches.get(time);
      const inside = stretch === undefined ? undefined : overlapOf(stretch, range);
      const last = drawn.at(-1);
      if (inside !== undefined) {
        if (last?.value === value && last.to === inside.from) {
          drawn[drawn.length - 1] = { value, from: last.from, to: inside.to };
        } else drawn.push({ value, ...inside });
      } else if (stretch === undefined && isIn(range, time)) {
        // An instant at the end of a band of the same code adds nothing to draw.
        if (last?.value !== value || last.to !== time) drawn.push({ value, from: time, to: time });
      }
    }
    return drawn;
  });
}

/** Ms that each code held in the caller's part of the range, and that none did up to now. */
export function codeTotals(
  readings: readonly Reading[],
  name: string,
  range: Range,
  intervals: readonly Range[] = [ALWAYS],
  now: number = range.to,
): { readonly ofCode: ReadonlyMap<number, number>; readonly noDataMs: number } {
  const upToNow = { from: range.from, to: Math.min(range.to, now) };
  const ofCode = new Map<number, number>();
  let noDataMs = 0;
  for (const { interval, stream } of ownedStreams(readings, intervals)) {
    const part = overlapOf(interval, upToNow);
    if (part === undefined) continue;
    const stretches = stream.track(name).stretches();
    for (const value of new Set(stretches.map((stretch) => stretch.value))) {
      const held = timeIn(
        stretches.filter((stretch) => stretch.value === value),
        part,
      );
      if (held > 0) ofCode.set(value, (ofCode.get(value) ?? 0) + held);
    }
    noDataMs += length(part) - timeIn(stretches, part);
  }
  return { ofCode, noDataMs };
}
