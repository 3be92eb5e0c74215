/** A stretch of history as a page's address says it, and what is picked with one press. */
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';

/** Picked a while ago it is still the same choice. */
const ALIKE_MS = 15 * 60_000;

/** Whether both are the default, or start and end at about the same time. */
export function isAlike(a: TimeRange | undefined, b: TimeRange | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.from - b.from) < ALIKE_MS && Math.abs(a.to - b.to) < ALIKE_MS;
}

/** As the page's address says it: UTC, to the minute, so that everybody sees the same with it. */
export const momentText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** The range of the page's address; undefined when it has none that can be read. */
export function rangeIn(search: URLSearchParams): TimeRange | undefined {
  const [from = Number.NaN, to = Number.NaN] = ['start', 'end'].map((name) =>
    Date.parse(search.get(name) ?? ''),
  );
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined;
}

/** Puts the range into an address's search; undefined: takes it out. */
export function writeRange(search: URLSearchParams, range: TimeRange | undefined): void {
  for (const [name, side] of [
    ['start', 'from'],
    ['end', 'to'],
  ] as const) {
    if (range) search.set(name, momentText(range[side]));
    else search.delete(name);
  }
}

/** 'YYYY-MM-DD' in Amsterdam. The last midnight was yesterday an hour earlier, whatever the length of the days. */
export const yesterdayOf = (now: number): string => amsterdamDay((dayOf(amsterdamDay(now))?.from ?? now) - 1);
