import { dayOf, instantOf } from '../amsterdam-time.ts';
import { dutchDate } from '../nl.ts';

/** What a report is asked for, besides which machines. */
export type ReportSettings = {
  /** First and last day in Amsterdam, 'YYYY-MM-DD'. */
  readonly from: string;
  readonly to: string;
  /** Hours of the first and the last day between which the report is, 'HH:mm'; absent: whole days. */
  readonly fromTime?: string | undefined;
  readonly toTime?: string | undefined;
  /** A day with at least so many minutes of running on a project is a day of use. */
  readonly minutes: number;
  /** Of Metingen: which signals. */
  readonly signals: readonly string[];
  /** Of Metingen: one row for so many seconds; 0: every reading. */
  readonly step: Step;
};

export const STEPS = [0, 1, 60, 300] as const;
export type Step = (typeof STEPS)[number];
export const STEP_TEXTS: Readonly<Record<Step, string>> = {
  0: 'Elke meting',
  1: 'Per seconde',
  60: 'Per minuut',
  300: 'Per 5 minuten',
};

export const DEFAULT_MINUTES = 1;
export const MOST_MINUTES = 1_440;
/** Of one file of Metingen. */
export const MOST_SIGNALS = 20;

/** Days of a report on the screen, and in a file: a year and three, with a leap day each. */
export const MOST_DAYS_ON_SCREEN = 366;
export const MOST_DAYS_IN_FILE = 3 * 365 + 1;
/** Rows of a report on the screen; its totals are those of all. */
export const ROWS_ON_SCREEN = 1_000;

const DAY_MS = 86_400_000;
/** How many days there are from one to another, both included; below 1 where they are the other way round. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS) + 1;

/** 'YYYY-MM-DD' so many days later. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** From the beginning of the first day, or its hour, to the end of the last, or its hour; ms. */
export const instantsOf = ({
  from,
  to,
  fromTime,
  toTime,
}: Pick<ReportSettings, 'from' | 'to' | 'fromTime' | 'toTime'>) => ({
  from: (fromTime === undefined ? dayOf(from)?.from : instantOf(`${from} ${fromTime}`, 'first')) ?? 0,
  to: (toTime === undefined ? dayOf(to)?.to : instantOf(`${to} ${toTime}`, 'last')) ?? 0,
});

/** '28-11-2026 tot en met 29-11-2026', '28-11-2026 18:00 tot 29-11-2026 06:00'. */
export function periodText({
  from,
  to,
  fromTime,
  toTime,
}: Pick<ReportSettings, 'from' | 'to' | 'fromTime' | 'toTime'>): string {
  const begin = fromTime === undefined ? dutchDate(from) : `${dutchDate(from)} ${fromTime}`;
  return toTime === undefined
    ? `${begin} tot en met ${dutchDate(to)}`
    : `${begin} tot ${dutchDate(to)} ${toTime}`;
}
