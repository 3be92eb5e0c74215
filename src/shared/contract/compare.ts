import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';
import { CalendarDay } from './projects.ts';
import { ReportCell, ReportColumn } from './reports.ts';

const moment = z.string().max(40);
/** A JSON list of two to five serial numbers, each once. */
const machines = z.string().max(2_000);
const Named = {
  serial: z.string(),
  alias: z.string(),
  brand: z.string(),
  model: z.string(),
};

const Course = z.object({
  ...Named,
  /** Start of each bucket of `level`, unix seconds; an interval without data has no buckets. */
  time: z.array(z.number()),
  /** Length of a bucket of `level` in seconds. */
  bucketSeconds: z.number(),
  /** Mean charge level of the machine's packs, %, one element per element of `time`; null: no pack reported. */
  level: z.array(z.number().nullable()),
  /** Mean power out of the batteries, kW, over the part of each bucket in which it is known. */
  power: z.object({ time: z.array(z.number()), bucketSeconds: z.number(), kw: z.array(z.number()) }),
  /** Intervals in which the machine ran or charged, unix seconds, in order. */
  bands: z.array(z.object({ kind: z.enum(['running', 'charging']), from: z.number(), to: z.number() })),
  /** How long the machine ran, charged, was off, or sent no data (`unknown`) in the range, seconds. */
  seconds: z.object({ running: z.number(), charging: z.number(), off: z.number(), unknown: z.number() }),
  /** The last day with data before the end of the range, 'YYYY-MM-DD' in Europe/Amsterdam; null: there is none. */
  lastDay: z.string().nullable(),
});
export type ComparedTimeSeries = z.output<typeof Course>;

const Figures = z.object({
  columns: z.array(ReportColumn),
  /** One row per machine, in the order of the request. A row has one cell per column; a null cell is not known. */
  rows: z.array(z.array(ReportCell)),
  notes: z.array(z.string()),
});
export type ComparedFigures = z.output<typeof Figures>;

/** Comparing two to five machines. */
export const compareApi = {
  'GET /api/compare/courses': {
    summary:
      'Returns charge level, power, running and charging of two to five machines over at most 31 days, in the order of the request.',
    dutch:
      'Twee tot vijf machines naast elkaar in een periode van hoogstens 31 dagen: acculading, vermogen, en wanneer zij draaiden en laadden.',
    needs: 'see-machines',
    query: z.object({
      machines,
      start: moment,
      end: moment.optional(),
      points: z.coerce.number().int().min(10).max(2_000).default(600),
    }),
    response: z.object({ machines: z.array(Course) }),
  },
  'GET /api/compare/figures': {
    summary:
      'Returns the figures of two to five machines over at most 31 whole days, one row each, by the rules of the reports.',
    dutch:
      'De cijfers van twee tot vijf machines over hoogstens 31 hele dagen, een rij per machine, met dezelfde rekenregels als de rapporten.',
    needs: 'see-machines',
    /** First and last day in Amsterdam, 'YYYY-MM-DD'. */
    query: z.object({ machines, from: CalendarDay, to: CalendarDay }),
    response: Figures,
  },
} as const satisfies Endpoints;
