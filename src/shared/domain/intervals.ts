/** ms; a value holds so long at most, and no longer than this is a gap between two readings (docs/figures.md section 2). */
export const MAX_GAP_MS = 5 * 60_000;
/** ms; buckets of the roll-up start at multiples of this since 1970. Not shorter than MAX_GAP_MS. */
export const BUCKET_MS = 5 * 60_000;

/** Half-open, ms. */
export type Range = { readonly from: number; readonly to: number };

/** Joins intervals that overlap or follow each other at once. @param intervals in order of their beginnings */
export function joined(intervals: readonly Range[]): Range[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of intervals) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Returns the times that lie in both lists, each in order and without overlaps. */
export const overlaps = (some: readonly Range[], others: readonly Range[]): Range[] =>
  some.flatMap((one) =>
    others.flatMap((other) => {
      const both = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
      return both.from < both.to ? [both] : [];
    }),
  );
