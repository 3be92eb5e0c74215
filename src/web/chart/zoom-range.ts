/** The range that a chart shows, in any unit of time. */
export type Range = { readonly from: number; readonly to: number };

/** Returns the range, shortened and moved to fit the limits. It is at least `least` long, or as long as the limits allow. */
export function clampRangeToLimits({ from, to }: Range, limits: Range, least: number): Range {
  const whole = limits.to - limits.from;
  const length = Math.min(whole, Math.max(least, to - from));
  const middle = (from + to) / 2;
  const start = Math.min(limits.to - length, Math.max(limits.from, middle - length / 2));
  return { from: start, to: start + length };
}

/** Returns a range `factor` times as long, in which the time `fixed` keeps its relative position. */
export const scaleRange = ({ from, to }: Range, factor: number, fixed: number): Range => ({
  from: fixed - (fixed - from) * factor,
  to: fixed + (to - fixed) * factor,
});

/**
 * Returns the range in which the two times that the fingers first touched are below the fingers again; undefined if
 * the fingers crossed or coincide.
 * @param anchors the times on the axis that the fingers first touched
 * @param at present positions of the fingers, from 0 (left) to 1 (right)
 */
export function pinchedRange(
  anchors: readonly [number, number],
  at: readonly [number, number],
): Range | undefined {
  const apart = at[1] - at[0];
  const time = anchors[1] - anchors[0];
  if (apart * time <= 0) return undefined;
  const length = time / apart;
  const from = anchors[0] - at[0] * length;
  return { from, to: from + length };
}
