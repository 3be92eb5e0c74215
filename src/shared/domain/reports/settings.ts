import { amsterdamDayRange, amsterdamInstant } from '../amsterdam-time.ts';
import { dutchDate } from '../nl.ts';

/** The choices of a report, without its machines. */
export type ReportSettings = {
  /** First and last day in Amsterdam, 'YYYY-MM-DD'. */
  readonly from: string;
  readonly to: string;
  /** 'HH:mm' on the first and on the last day; absent: whole days. */
  readonly fromTime?: string | undefined;
  readonly toTime?: string | undefined;
  /** Minutes of running on a project from which a day counts as a day of use. */
  readonly minutes: number;
  /** Metingen only: the signals. */
  readonly signals: readonly string[];
  /** Metingen only: seconds per row; 0: every reading. */
  readonly step: ReportStep;
};

export const REPORT_STEP_SECONDS = [0, 1, 60, 300] as const;
export type ReportStep = (typeof REPORT_STEP_SECONDS)[number];
export const REPORT_STEP_TEXTS: Readonly<Record<ReportStep, string>> = {
  0: 'Elke meting',
  1: 'Per seconde',
  60: 'Per minuut',
  300: 'Per 5 minuten',
};

export const DEFAULT_USE_DAY_MINUTES = 1;
export const MAX_USE_DAY_MINUTES = 1_440;
/** Maximum number of signals in one file of Metingen. */
export const MAX_SIGNALS = 20;

/** Maximum number of days of a report on the screen, and in a file: one year and three years, each with a leap day. */
export const MAX_DAYS_ON_SCREEN = 366;
export const MAX_DAYS_IN_FILE = 3 * 365 + 1;
/** Maximum number of rows of a report on the screen; the totals are those of all rows. */
export const ROWS_ON_SCREEN = 1_000;

const DAY_MS = 86_400_000;
/** Returns the number of days from `from` to `to`, both included; below 1 when `to` is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS) + 1;

/** Returns the day ('YYYY-MM-DD') that is `days` days later. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Returns the range of a report, ms: from the first day, or its hour, to the end of the last day, or its hour. */
export const reportRangeMs = ({
  from,
  to,
  fromTime,
  toTime,
}: Pick<ReportSettings, 'from' | 'to' | 'fromTime' | 'toTime'>) => ({
  from:
    (fromTime === undefined
      ? amsterdamDayRange(from)?.from
      : amsterdamInstant(`${from} ${fromTime}`, 'first')) ?? 0,
  to: (toTime === undefined ? amsterdamDayRange(to)?.to : amsterdamInstant(`${to} ${toTime}`, 'last')) ?? 0,
});

/** Returns '28-11-2026 tot en met 29-11-2026' or '28-11-2026 18:00 tot 29-11-2026 06:00'. */
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
