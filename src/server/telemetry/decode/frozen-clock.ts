import { checkReadingTime, TIME_FIELD_NAMES } from './reading-rules.ts';

export type ClockName = (typeof TIME_FIELD_NAMES)[number];
/** Clocks of a snapshot, seconds since 1970; a clock that is 0 or absent has no time. */
export type SnapshotClocks = { readonly [Name in ClockName]?: unknown };

/** Seconds since 1970, in the order of TIME_FIELD_NAMES; undefined for a clock without a time. */
type Times = readonly (number | undefined)[];

/** The last two different snapshots in one file of one logger; `other`: the clock that was used instead of the first clock, if any. */
export type LastSnapshotClocks = readonly { readonly times: Times; readonly other: ClockName | undefined }[];

const timesOf = (clocks: SnapshotClocks): Times =>
  TIME_FIELD_NAMES.map((name) => {
    const value = clocks[name];
    return typeof value === 'number' && Number.isFinite(value) && value !== 0 ? value : undefined;
  });

/**
 * Detects that the first clock of a snapshot (in the order of TIME_FIELD_NAMES) stands still. A receiver that lost its fix in a hall may
 * repeat its time while the logger's own clock runs; then every snapshot would get the same instant, which already has a reading
 * (docs/figures.md section 1).
 * @returns the clock to use instead, if the first clock stands still; and the state to pass to the next call
 */
export function detectFrozenClock(
  clocks: SnapshotClocks,
  seen: LastSnapshotClocks,
  nowMs: number,
): { readonly other: ClockName | undefined; readonly seen: LastSnapshotClocks } {
  const times = timesOf(clocks);
  const before = seen.at(-1);
  // A repeated upload does not change the result.
  if (before && times.every((time, n) => time === before.times[n])) return { other: before.other, seen };
  const three = [...seen.map((one) => one.times), times];
  const standsStill = (n: number): boolean => three.every((one) => one[n] === times[n]);
  const hasGrown = (n: number): boolean => {
    const [a, b, c] = three.map((one) => one[n]);
    if (a === undefined || b === undefined || c === undefined) return false;
    return a <= b && b <= c && a < c && checkReadingTime(Math.round(c * 1000), nowMs) === 'good';
  };
  const first = times.findIndex((time) => time !== undefined);
  const isFrozen = three.length === 3 && first >= 0 && standsStill(first);
  const other = isFrozen ? TIME_FIELD_NAMES.find((_, n) => hasGrown(n)) : undefined;
  return { other, seen: [...seen.slice(-1), { times, other }] };
}
