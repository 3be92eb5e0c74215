import { judgeTime, TIME_NAMES } from './reading-rules.ts';

export type ClockName = (typeof TIME_NAMES)[number];
/** What a snapshot says, s since 1970; 0 or absent: that clock has none. */
export type Clocks = { readonly [Name in ClockName]?: unknown };

/** s since 1970, in the order of TIME_NAMES; undefined: that clock has none. */
type Times = readonly (number | undefined)[];

/** Of one file of one logger: the last two different deliveries, and what they went by. */
export type SeenClocks = readonly { readonly times: Times; readonly other: ClockName | undefined }[];

const timesOf = (clocks: Clocks): Times =>
  TIME_NAMES.map((name) => {
    const value = clocks[name];
    return typeof value === 'number' && Number.isFinite(value) && value !== 0 ? value : undefined;
  });

/**
 * A receiver that lost its fix in a hall may repeat its time while the logger's own clock runs: every reading would be
 * one of an instant that is there already (docs/figures.md section 1).
 * @returns the clock to go by in the place of the first one, if that stands still; and what to remember
 */
export function otherClock(
  clocks: Clocks,
  seen: SeenClocks,
  nowMs: number,
): { readonly other: ClockName | undefined; readonly seen: SeenClocks } {
  const times = timesOf(clocks);
  const before = seen.at(-1);
  // A repeated upload changes nothing, here neither.
  if (before && times.every((time, n) => time === before.times[n])) return { other: before.other, seen };
  const three = [...seen.map((one) => one.times), times];
  const standsStill = (n: number): boolean => three.every((one) => one[n] === times[n]);
  const hasGrown = (n: number): boolean => {
    const [a, b, c] = three.map((one) => one[n]);
    if (a === undefined || b === undefined || c === undefined) return false;
    return a <= b && b <= c && a < c && judgeTime(Math.round(c * 1000), nowMs) === 'good';
  };
  const first = times.findIndex((time) => time !== undefined);
  const isFrozen = three.length === 3 && first >= 0 && standsStill(first);
  const other = isFrozen ? TIME_NAMES.find((_, n) => hasGrown(n)) : undefined;
  return { other, seen: [...seen.slice(-1), { times, other }] };
}
