/** A range of history in a page's address. */
import { amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';

/** Ranges whose start and end differ by less than this count as the same choice, made at another time. */
const ALIKE_MS = 15 * 60_000;

/** Returns whether both ranges are the default (undefined), or start and end at about the same time. */
export function areRangesAlike(a: TimeRange | undefined, b: TimeRange | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.from - b.from) < ALIKE_MS && Math.abs(a.to - b.to) < ALIKE_MS;
}

/** Formats a time for the address, in UTC and to the minute, so that all users see the same range. */
export const addressTimeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** Parses the range of the page's address; undefined if it has no valid range. */
export function parseAddressRange(search: URLSearchParams): TimeRange | undefined {
  const [from = Number.NaN, to = Number.NaN] = ['start', 'end'].map((name) =>
    Date.parse(search.get(name) ?? ''),
  );
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
}

/** Sets the range in a query string, or removes it if undefined. */
export function writeRange(search: URLSearchParams, range: TimeRange | undefined): void {
  for (const [name, side] of [
    ['start', 'from'],
    ['end', 'to'],
  ] as const) {
    if (range) search.set(name, addressTimeText(range[side]));
    else search.delete(name);
  }
}

/**
 * Returns yesterday in Amsterdam as 'YYYY-MM-DD'. Computes the day of the millisecond before the last midnight, because a day may
 * have 23 or 25 hours.
 */
export const yesterdayOf = (now: number): string =>
  amsterdamDay((amsterdamDayRange(amsterdamDay(now))?.from ?? now) - 1);
