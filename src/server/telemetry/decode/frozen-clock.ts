import { judgeTime, TIME_NAMES } from './reading-rules.ts';

export type ClockName = (typeof TIME_NAMES)[number];
/** What a snapshot says, s since 1970; 0 or absent: that clock has none. */
export type Clocks = { readonly [Name in ClockName]?: unknown };

/** Of one file of one logger: the deliveries before, and what they went by. */
export type SeenClocks = readonly { readonly clocks: Clocks; readonly other: ClockName | undefined }[];

const said = (clocks: Clocks, name: ClockName): number | undefined => {
  const value = clocks[name];
  return typeof value === 'number' && Number.isFinite(value) && value !== 0 ? value : undefined;
};

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
  const before = seen.at(-1);
  const isRepeated = before && TIME_NAMES.every((name) => said(before.clocks, name) === said(clocks, name));
  // A repeated upload changes nothing, here neither.
  if (isRepeated) return { other: before.other, seen };
  const three = [...seen.slice(-2).map((one) => one.clocks), clocks];
  const valuesOf = (name: ClockName) => three.map((one) => said(one, name));
  const standsStill = (name: ClockName): boolean => {
    const [a, b, c] = valuesOf(name);
    return a !== undefined && a === b && b === c;
  };
  const hasGrown = (name: ClockName): boolean => {
    const [a, b, c] = valuesOf(name);
    if (a === undefined || b === undefined || c === undefined) return false;
    return a <= b && b <= c && a < c && judgeTime(Math.round(c * 1000), nowMs) === 'good';
  };
  const first = TIME_NAMES.find((name) => said(clocks, name) !== undefined);
  const other = first && standsStill(first) ? TIME_NAMES.find(hasGrown) : undefined;
  return { other, seen: [...seen.slice(-1), { clocks, other }] };
}
