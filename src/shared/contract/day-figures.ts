import { z } from 'zod';
import { CostAnswer } from './charging-tariffs.ts';
import type { Endpoints } from './endpoint.ts';

const Day = z.object({
  /** 'YYYY-MM-DD', Europe/Amsterdam. */
  date: z.string(),
  /** First and last activity, ISO times, UTC; null: the machine neither ran nor charged. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** First and last running, and first and last charging; null: none. */
  firstRunning: z.string().nullable(),
  lastRunning: z.string().nullable(),
  firstCharging: z.string().nullable(),
  lastCharging: z.string().nullable(),
  /** Time in each state, in seconds. */
  running: z.number(),
  charging: z.number(),
  idle: z.number(),
  /** Energy out of the batteries and energy charged, kWh; null: not known. */
  out: z.number().nullable(),
  charged: z.number().nullable(),
  /** Cost of the charged energy; absent: the owner has no tariff. */
  cost: CostAnswer.optional(),
  fedBack: z.number().nullable(),
  /** Share of the time with readings in which the energy is known, 0 to 1; null: it is never known. */
  known: z.number().nullable(),
  /** Distance in m: driven plus carried, for example on a trailer. */
  distance: z.number(),
  /** The carried part of `distance`, m. */
  carried: z.number(),
  /** Number of unused positions, by reason. */
  unused: z.object({ noFix: z.number(), nullIsland: z.number(), jumps: z.number() }),
  /** Lowest and highest charge level of any battery, %; null: not known. */
  lowest: z.number().nullable(),
  highest: z.number().nullable(),
  /** Share of the time between first and last activity in which there are readings without a gap; null: no activity. */
  coverage: z.number().nullable(),
  /** The figures may still change. */
  isProvisional: z.boolean(),
  /** The projects that the machine was on. */
  projects: z.array(z.string()),
});
export type DailyFigures = z.output<typeof Day>;

/** Figures of machines per day (docs/figures.md section 13). */
export const dayFiguresApi = {
  'GET /api/influx/days/:serialNumber': {
    summary:
      'Returns the figures of a machine per day of a month: times, energies, distance and how complete the data is.',
    dutch:
      'De dagen van een maand van een machine: tijden, energie, afstand en hoe volledig de gegevens zijn.',
    params: z.object({ serialNumber: z.string().max(200) }),
    query: z.object({ month: z.string().regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])$/, 'is geen maand') }),
    /**
     * `days`: days with data, in order. `newest`: the last day with data; null: there is none. `contradiction`: a Dutch sentence about a
     * signal that seems wrong in the last days; absent: none.
     */
    response: z.object({
      days: z.array(Day),
      newest: z.string().nullable(),
      contradiction: z.string().optional(),
    }),
  },
  'GET /api/influx/unused-levels/:serialNumber': {
    summary:
      'Counts the charge levels of 0 % that are ignored on a day, because no battery empties or fills so fast.',
    dutch:
      'Hoeveel laadniveaus van 0% van een machine op een dag niet tellen: zo snel loopt geen accu leeg of vol.',
    params: z.object({ serialNumber: z.string().max(200) }),
    query: z.object({ day: z.string().regex(/^(19|20|21)\d\d-(0[1-9]|1[0-2])-\d\d$/, 'is geen dag') }),
    response: z.object({ count: z.number().int() }),
  },
} as const satisfies Endpoints;
