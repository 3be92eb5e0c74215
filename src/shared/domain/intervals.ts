/** A value holds at most this long; readings that are further apart have a gap between them (docs/figures.md section 2). */
export const MAX_GAP_MS = 5 * 60_000;
/** Size of the roll-up's buckets, each of which starts at a multiple of this size since 1970. Must not be shorter than MAX_GAP_MS. */
export const BUCKET_MS = 5 * 60_000;

/** A half-open interval, ms since 1970. */
export type Range = { readonly from: number; readonly to: number };

/** Joins intervals that overlap or touch. @param intervals in order of their starts */
export function joinRanges(intervals: readonly Range[]): Range[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of intervals) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Returns the intersection of two lists of intervals. Each list must be in order and without overlaps. */
export const intersectIntervals = (some: readonly Range[], others: readonly Range[]): Range[] =>
  some.flatMap((one) =>
    others.flatMap((other) => {
      const both = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
      return both.from < both.to ? [both] : [];
    }),
  );
