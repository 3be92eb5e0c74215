/** What a zoom shows: always inside the limits, never shorter than `least`. Any unit of time. */
export type Range = { readonly from: number; readonly to: number };

/** The range moved and cut into the limits; at least `least` long, where the limits are. */
export function withinLimits({ from, to }: Range, limits: Range, least: number): Range {
  const whole = limits.to - limits.from;
  const length = Math.min(whole, Math.max(least, to - from));
  const middle = (from + to) / 2;
  const start = Math.min(limits.to - length, Math.max(limits.from, middle - length / 2));
  return { from: start, to: start + length };
}

/** `factor` times as long, with `fixed` in the same place of the width. */
export const scaled = ({ from, to }: Range, factor: number, fixed: number): Range => ({
  from: fixed - (fixed - from) * factor,
  to: fixed + (to - fixed) * factor,
});

/** Two fingers that began on times `held` now lie at shares `at` (0 left, 1 right) of the width: what it shows. */
export function pinched(held: readonly [number, number], at: readonly [number, number]): Range | undefined {
  const apart = at[1] - at[0];
  const time = held[1] - held[0];
  // Fingers that crossed, or lie on each other, say nothing.
  if (apart * time <= 0) return undefined;
  const length = time / apart;
  const from = held[0] - at[0] * length;
  return { from, to: from + length };
}
