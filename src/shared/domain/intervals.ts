/** ms; a value holds so long at most, and no longer than this is a gap between two readings (docs/figures.md section 2). */
export const MAX_GAP_MS = 5 * 60_000;
/** ms; buckets of the roll-up start at multiples of this since 1970. Not shorter than MAX_GAP_MS. */
export const BUCKET_MS = 5 * 60_000;

/** Half-open, ms. */
export type Range = { readonly from: number; readonly to: number };
