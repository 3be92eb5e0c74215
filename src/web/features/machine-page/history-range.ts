/** Which stretch of history the page shows: the last 24 hours, or one that was picked (MDET-13). */
import { amsterdamDay } from '#shared/domain/amsterdam-day.ts';
import { dayOf } from '#shared/domain/amsterdam-wall-clock.ts';
import { dateAndTime } from '#shared/domain/nl.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Specification section 9, "Default GPS range". */
const DEFAULT_MS = DAY_MS;

/** ms since 1970. */
export type HistoryRange = { readonly start: number; readonly end: number };

const toMinute = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** The 24 hours up to now, to the last reading. */
export const last24Hours = (now: number): HistoryRange => lastDays(1, now);

const lastDays = (days: number, now: number): HistoryRange => ({
  start: now - days * DEFAULT_MS,
  end: now,
});

/** A whole day, 'YYYY-MM-DD' in Amsterdam; of today what is past. undefined: no day. */
export function rangeOfDay(date: string, now: number): HistoryRange | undefined {
  const day = dayOf(date);
  return day && { start: day.from, end: Math.max(day.from, Math.min(day.to, toMinute(now))) };
}

/** What is picked with one press. */
export const QUICK_RANGES: readonly {
  readonly label: string;
  /** undefined: the default, which moves along with the time. */
  readonly rangeAt: (now: number) => HistoryRange | undefined;
}[] = [
  { label: 'Laatste 24 uur', rangeAt: () => undefined },
  { label: 'Vandaag', rangeAt: (now) => rangeOfDay(amsterdamDay(now), now) },
  { label: 'Gisteren', rangeAt: (now) => rangeOfDay(dayBefore(now), now) },
  { label: 'Laatste 7 dagen', rangeAt: (now) => lastDays(7, now) },
];

/** The last midnight was yesterday an hour earlier, whatever the length of the days. */
const dayBefore = (now: number): string => amsterdamDay((dayOf(amsterdamDay(now))?.from ?? now) - 1);

/** Picked a while ago it is still the same choice. */
const ALIKE_MS = 15 * MINUTE_MS;

/** Whether both are the default, or start and end at about the same time. */
export function isAlike(a: HistoryRange | undefined, b: HistoryRange | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.start - b.start) < ALIKE_MS && Math.abs(a.end - b.end) < ALIKE_MS;
}

/** What is wrong with a range, per field, in words; {} when nothing is. */
export type RangeFaults = { readonly start?: string; readonly end?: string };

export function rangeFaults({ start, end }: HistoryRange, now: number): RangeFaults {
  return {
    ...(start > end && { start: 'De begintijd ligt na de eindtijd.' }),
    ...(end > now && { end: 'De eindtijd ligt in de toekomst.' }),
  };
}

export const isFaulty = (faults: RangeFaults): boolean => Object.keys(faults).length > 0;

/** As the page's address says it: UTC, to the minute, so that everybody sees the same with it. */
export const momentText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** The range of the page's address; undefined when it has none that can be read. */
export function rangeIn(search: URLSearchParams): HistoryRange | undefined {
  const [start, end] = ['start', 'end'].map((name) => Date.parse(search.get(name) ?? ''));
  return Number.isFinite(start) && Number.isFinite(end) ? { start: start!, end: end! } : undefined;
}

/** '20-11-26, 16:00 tot 21-11-26, 16:00'. */
export const rangeInWords = ({ start, end }: HistoryRange): string =>
  `${dateAndTime(start)} tot ${dateAndTime(end)}`;
