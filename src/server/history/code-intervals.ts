import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { type RailReadings, type RailSignal, railValues } from './rail-readings.ts';
import type { OwnedSegment } from './range.ts';

/** The interval (ms) in which a code was valid. */
export type RailCodeInterval = { readonly value: number; readonly from: number; readonly to: number };

/** Intervals of a segment. `all` false: the segment has too many, so there is one code for each bucket instead. */
export type RailCodeIntervals = { readonly intervals: readonly RailCodeInterval[]; readonly all: boolean };

/**
 * Returns the intervals of a segment in which a code was valid (LOG-06): until the next reading with a code or, when
 * that is more than 5 minutes away, until the last reading with the same code. Includes codes that no legend contains.
 * If there would be more than `most` intervals, returns one code per bucket: the one that was reported most often.
 */
export function findRailCodeIntervals(
  rail: RailReadings,
  signal: RailSignal,
  { most, bucketMs }: { most: number; bucketMs: number },
): RailCodeIntervals {
  const runs = runsOf(rail, signal);
  const found = joined(runs);
  const all = found.length <= most;
  const intervals = all ? found : joined(mostReported(rail, signal, bucketMs));
  return { intervals: intervals.flatMap((interval) => cut(interval, rail.segment)), all };
}

function cut({ value, from, to }: RailCodeInterval, range: OwnedSegment): RailCodeInterval[] {
  const [start, stop] = [Math.max(from, range.from), Math.min(to, range.to)];
  // Leaves out intervals that ended before the range or begin after it: their readings were read for the intervals next to them.
  if (start > stop || from >= range.to || (to <= range.from && from < range.from)) return [];
  return [{ value, from: start, to: stop }];
}

/** Returns the first and last time of each run of readings with the same code that are at most 5 minutes apart. */
function runsOf(rail: RailReadings, signal: RailSignal): RailCodeInterval[] {
  const values = railValues(rail, signal);
  const runs: { value: number; from: number; to: number }[] = [];
  for (const [n, time] of rail.readings.times.entries()) {
    const value = values[n] as number;
    if (Number.isNaN(value)) continue;
    const last = runs.at(-1);
    if (last && last.value === value && time - last.to <= MAX_GAP_MS) last.to = time;
    else runs.push({ value, from: time, to: time });
  }
  return runs;
}

/** Returns the most frequently reported code of each bucket, in order of time; of codes that are equally frequent, the lowest. */
function mostReported(rail: RailReadings, signal: RailSignal, bucketMs: number): RailCodeInterval[] {
  const values = railValues(rail, signal);
  const buckets = new Map<
    number,
    { readonly from: number; to: number; readonly counts: Map<number, number> }
  >();
  for (const [n, time] of rail.readings.times.entries()) {
    const value = values[n] as number;
    if (Number.isNaN(value)) continue;
    const start = Math.floor(time / bucketMs);
    const bucket = buckets.get(start) ?? { from: time, to: time, counts: new Map<number, number>() };
    bucket.to = time;
    bucket.counts.set(value, (bucket.counts.get(value) ?? 0) + 1);
    buckets.set(start, bucket);
  }
  return [...buckets.values()].map(({ from, to, counts }) => {
    const [first] = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b);
    return { value: first?.[0] as number, from, to };
  });
}

/** Joins intervals: a code is valid until the next reading with a code, unless that reading is more than MAX_GAP_MS later. */
function joined(slices: readonly RailCodeInterval[]): RailCodeInterval[] {
  const intervals: { value: number; from: number; to: number }[] = [];
  for (const slice of slices) {
    const last = intervals.at(-1);
    const follows = last !== undefined && slice.from - last.to <= MAX_GAP_MS;
    if (follows) last.to = slice.from;
    if (follows && last.value === slice.value) last.to = slice.to;
    else intervals.push({ ...slice });
  }
  return intervals;
}
