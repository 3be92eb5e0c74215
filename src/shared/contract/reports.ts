import { z } from 'zod';
import { FORMATS, MEDIA, REPORT_KINDS } from '#shared/domain/reports/kinds.ts';
import { DEFAULT_MINUTES, MOST_MINUTES } from '#shared/domain/reports/settings.ts';
import type { Endpoint } from './endpoint.ts';
import { Day } from './projects.ts';

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'moet een tijd als 06:30 zijn');
const Kind = z.object({ kind: z.enum(REPORT_KINDS, { error: 'bestaat niet' }) });

/** What a report is asked for. Lists are JSON: names may hold any sign. */
const Question = z.object({
  /** First and last day in Amsterdam, 'YYYY-MM-DD'. */
  from: Day,
  to: Day,
  /** 'HH:mm' on the first day, and on the last: of Laadbeurten, Vervoer, Storingen, Route and Metingen only. Left out: whole days. */
  fromTime: Time.optional(),
  toTime: Time.optional(),
  /** A JSON list of ids; left out: of all projects, and of none. */
  projects: z.string().max(20_000).optional(),
  /** A JSON list of serial numbers; left out: of all. Route needs one or more, Metingen one. */
  machines: z.string().max(200_000).optional(),
  /** A JSON list of ids: of machines that carry any of them now; left out: whatever they carry. Not of Route and Metingen. */
  labels: z.string().max(20_000).optional(),
  /** Minutes of running on a project that make a day of use. */
  minutes: z.coerce.number().int().min(1).max(MOST_MINUTES).default(DEFAULT_MINUTES),
  /** Of Metingen: a JSON list of signals, and one row for so many seconds; 0: every reading. */
  signals: z.string().max(20_000).optional(),
  step: z.enum(['0', '1', '60', '300'], { error: 'is 0, 1, 60 of 300' }).default('0'),
});
export type ReportQuery = z.input<typeof Question>;

export const ReportCell = z.union([z.string(), z.number(), z.null()]);
/** A column as a screen shows it. */
export const ReportColumn = z.object({
  key: z.string(),
  title: z.string(),
  /** Unit of its numbers; a duration is in s. */
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
  /** Of each a list, in the order of the columns; null: not known. The first 1,000. */
  rows: z.array(z.array(ReportCell)),
  /** Whether there are more. */
  isCut: z.boolean(),
  /** Of all rows, in the order of the columns; null: nothing adds up. */
  totals: z.array(ReportCell).nullable(),
  /** What stands below it. */
  notes: z.array(z.string()),
});
export type ReportAnswer = z.output<typeof ReportAnswer>;

/** Figures of projects and machines that leave the building. */
export const reportsApi = {
  'GET /api/report/:kind': {
    summary:
      'A report of at most a year, as the screen shows it: its first 1,000 rows, the totals of all, and what is to be known of them.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    params: Kind,
    query: Question,
    response: ReportAnswer,
  },
  'GET /api/report/:kind/file': {
    summary: 'A report of at most three years as a file: CSV, XLSX or JSON, a route as GPX too.',
    access: 'session',
    needs: 'make-reports',
    changes: false,
    media: Object.values(MEDIA),
    params: Kind,
    query: Question.extend({ format: z.enum(FORMATS, { error: 'bestaat niet' }) }),
    response: z.unknown(),
  },
} as const satisfies Record<string, Endpoint>;
