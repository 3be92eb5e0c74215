/**
 * Finds charge levels of 0 that are no measurement (docs/figures.md section 1, 'Charge levels that do not count'): a battery's controller
 * reports 0 while it wakes up or falls asleep.
 */
import { MAX_GAP_MS } from './intervals.ts';
import { packNumberOf } from './packs.ts';
import type { Reading } from './signal.ts';

/** Margin on a change of the charge level, because some controllers round to steps of 5 %. */
const STEP_PERCENT = 5;
/** No battery of a work machine changes faster: it would be empty in 10 minutes. */
const FASTEST_PERCENT_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** Returns whether a change between this charge level and 0 within `ms` is faster than any battery allows. */
const isSteep = (percent: number, ms: number): boolean =>
  percent > STEP_PERCENT + (FASTEST_PERCENT_PER_MINUTE * ms) / MINUTE_MS;

/** The last valid value of each signal, and its time (ms since 1970). */
export type LastValues = Readonly<Record<string, readonly [value: number, time: number]>>;

export type FalseZeros = {
  /** Names of the signals whose 0 does not count, by the index of the reading. */
  readonly names: ReadonlyMap<number, readonly string[]>;
  /** Whether these readings suggest that a 0 in an earlier reading was no measurement. */
  readonly looksBack: boolean;
};

const NONE: FalseZeros = { names: new Map(), looksBack: false };

/**
 * Returns which charge levels of 0 do not count.
 * @param readings as they were sent, in order of time
 * @param last the last valid value of each signal before the readings
 */
export function falseZeros(readings: readonly Reading[], last: LastValues = {}): FalseZeros {
  const suspects = suspectNames(readings, last);
  if (suspects.size === 0) return NONE;
  const names = new Map<number, string[]>();
  let looksBack = false;
  for (const name of suspects) {
    let before = last[name];
    /** Indexes of readings with a 0 and no known value shortly before it: the next value decides whether the 0 counts. */
    let open: number[] = [];
    /** Time of the newest 0 in a series that began in earlier readings, whose preceding value is not known here. */
    let unknownAt = before?.[0] === 0 ? before[1] : undefined;
    const leaveOut = (n: number): void => void names.set(n, [...(names.get(n) ?? []), name]);
    for (const [n, { time, signals }] of readings.entries()) {
      const value = signals[name];
      if (value === undefined) continue;
      const isNear = before !== undefined && before[0] !== 0 && time - before[1] <= MAX_GAP_MS;
      const known = isNear ? before : undefined;
      if (value === 0) {
        if (unknownAt !== undefined && time - unknownAt <= MAX_GAP_MS) unknownAt = time;
        else if (known === undefined) open.push(n);
        else if (isSteep(known[0], time - known[1])) leaveOut(n);
        continue;
      }
      const apart = time - (unknownAt ?? Number.NEGATIVE_INFINITY);
      if (apart <= MAX_GAP_MS && isSteep(value, apart)) looksBack = true;
      unknownAt = undefined;
      for (const zero of open) {
        const since = time - (readings[zero] as Reading).time;
        if (since <= MAX_GAP_MS && isSteep(value, since)) leaveOut(zero);
      }
      open = [];
      before = [value, time];
    }
  }
  return { names, looksBack };
}

/** Returns the names of charge levels that are 0 in a reading, or were 0 before. */
function suspectNames(readings: readonly Reading[], last: LastValues): ReadonlySet<string> {
  const names = new Set<string>();
  for (const name in last) if (last[name]?.[0] === 0 && packNumberOf(name) !== undefined) names.add(name);
  for (const { signals } of readings)
    for (const name in signals) if (signals[name] === 0 && packNumberOf(name) !== undefined) names.add(name);
  return names;
}
