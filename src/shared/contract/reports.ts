import { z } from 'zod';
import { CONTENT_TYPES, FORMATS, REPORT_KINDS } from '#shared/domain/reports/kinds.ts';
import { DEFAULT_USE_DAY_MINUTES, MAX_USE_DAY_MINUTES } from '#shared/domain/reports/settings.ts';
import type { Endpoints } from './endpoint.ts';
import { CalendarDay } from './projects.ts';

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 06:30 zijn');
const Kind = z.object({ kind: z.enum(REPORT_KINDS, { error: 'bestaat niet' }) });

/** The query of a report call. A list is sent as JSON, because names may contain any character. */
const Question = z.object({
  /** First and last day in Amsterdam, 'YYYY-MM-DD'. */
  from: CalendarDay,
  to: CalendarDay,
  /** 'HH:mm' on the first and the last day, for Laadbeurten, Vervoer, Storingen, Route and Metingen only; default: whole days. */
  fromTime: Time.optional(),
  toTime: Time.optional(),
  /** A JSON list of ids; default: all projects, and time on no project. */
  projects: z.string().max(20_000).optional(),
  /** A JSON list of serial numbers; default: all machines. Route needs at least one, Metingen exactly one. */
  machines: z.string().max(200_000).optional(),
  /**
   * A JSON list of label ids: machines that carry at least one of these labels now; default: all machines. Not
   * for Route and Metingen.
   */
  labels: z.string().max(20_000).optional(),
  /** Minutes of running on a project from which a day counts as a day of use. */
  minutes: z.coerce.number().int().min(1).max(MAX_USE_DAY_MINUTES).default(DEFAULT_USE_DAY_MINUTES),
  /** Metingen only: a JSON list of signals, and the seconds per row; 0: every reading. */
  signals: z.string().max(20_000).optional(),
  step: z.enum(['0', '1', '60', '300'], { error: 'is 0, 1, 60 of 300' }).default('0'),
});
export type ReportQuery = z.input<typeof Question>;
export type ReportRequest = z.output<typeof Question>;

export const ReportCell = z.union([z.string(), z.number(), z.null()]);
/** A column as a screen shows it. */
export const ReportColumn = z.object({
  key: z.string(),
  title: z.string(),
  /** Unit of the column's numbers; a duration is in s. */
  unit: z.string(),
  kind: z.enum(['text', 'day', 'moment', 'duration', 'energy', 'distance', 'share', 'number']),
  /** Decimals to show. */
  digits: z.number().int(),
  isSummed: z.boolean(),
});
const ReportAnswer = z.object({
  report: z.enum(REPORT_KINDS),
  title: z.string(),
  from: z.string(),
  to: z.string(),
  /** Absent: whole days. */
  fromTime: z.string().optional(),
  toTime: z.string().optional(),
  organization: z.string(),
  columns: z.array(ReportColumn),
  /** The first 1,000 rows, each a list of cells in the order of the columns; a null cell is not known. */
  rows: z.array(z.array(ReportCell)),
  /** Whether there are more than 1,000 rows. */
  isCut: z.boolean(),
  /** Totals of all rows, in the order of the columns; null: no column is summed. */
  totals: z.array(ReportCell).nullable(),
  /** Notes below the table. */
  notes: z.array(z.string()),
});
export type ReportAnswer = z.output<typeof ReportAnswer>;

/** Reports about projects and machines. */
export const reportsApi = {
  'GET /api/report/:kind': {
    summary:
      'Returns a report of at most a year, for a screen: its first 1,000 rows, the totals of all rows, and notes.',
    dutch:
      'Een rapport van hoogstens een jaar, zoals het scherm het toont: de eerste 1.000 rijen, de totalen van alle, en wat erbij te weten is.',
    needs: 'see-machines',
    params: Kind,
    query: Question,
    response: ReportAnswer,
  },
  'GET /api/report/:kind/file': {
    summary:
      'Downloads a report of at most three years: CSV, XLSX or JSON, a route also as GPX, measurements also as Parquet.',
    dutch:
      'Een rapport van hoogstens drie jaar als bestand: CSV, XLSX of JSON, een route ook als GPX, metingen ook als Parquet.',
    needs: 'make-reports',
    media: Object.values(CONTENT_TYPES),
    params: Kind,
    query: Question.extend({ format: z.enum(FORMATS, { error: 'bestaat niet' }) }),
    response: z.unknown(),
  },
} as const satisfies Endpoints;
