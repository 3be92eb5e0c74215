import { z } from 'zod';
import { LAMPS } from '#shared/domain/fault-codes.ts';
import type { Endpoint } from './endpoint.ts';
import { MaintenanceDue } from './maintenance.ts';

/** What live data do not say of a machine. */
const FleetFigure = z.object({
  /** kW while running, of the last 30 days; null: not known. */
  power: z.number().nullable(),
  /** Of today, in Amsterdam, as of a machine's days; absent: nothing was heard today. */
  today: z
    .object({
      /** Seconds. */
      running: z.number(),
      /** kWh; null: not known. */
      out: z.number().nullable(),
      /** m, driven and carried; null: counted before that was kept. */
      driven: z.number().nullable(),
      carried: z.number().nullable(),
      /** Share of the time between first and last activity in which there are readings; null: no activity. */
      coverage: z.number().nullable(),
    })
    .optional(),
  /** Of the charge that goes on: between when it will be full, ISO times, UTC. */
  forecast: z.object({ from: z.string(), to: z.string() }).optional(),
  /**
   * Until when its charge lasts if it does what it usually does on this weekday: when the level falls below 20 %, ISO time, UTC; null: not
   * in the next 24 hours, as far as that is known. Absent: it charges, is silent, or has too little history.
   */
  enough: z.object({ until: z.string().nullable() }).optional(),
  /** Of its photo, in `GET /api/img/:serial/:hash`; absent: it has none. */
  photo: z.string().optional(),
  /** Its fault codes that are active and were seen in the last 24 hours: how many, and the most severe. */
  faults: z
    .object({
      count: z.number().int(),
      spn: z.number().int(),
      fmi: z.number().int(),
      isOldLayout: z.boolean(),
      lamp: z.enum(LAMPS).nullable(),
    })
    .optional(),
  /** Which signal seems wrong, in a few Dutch words: the charge level and the energy of the last days contradict each other. */
  contradiction: z.string().optional(),
  /** The maintenance plan that is due first; absent: it has none. */
  maintenance: z
    .object({
      planName: z.string(),
      ...MaintenanceDue,
    })
    .optional(),
  /** The project that it is on now. */
  project: z.object({ _id: z.number().int(), projectName: z.string() }).optional(),
});
export type FleetFigure = z.output<typeof FleetFigure>;

/** By serial number. */
const FleetFigures = z.record(z.string(), FleetFigure);
export type FleetFigures = z.output<typeof FleetFigures>;

/** The overview of a fleet (docs/figures.md sections 5 and 13). */
export const fleetFiguresApi = {
  'GET /api/fleet/figures': {
    summary:
      "What live data do not say of each machine: its mean power of 30 days, today's running time, energy and distance, when it will be full, until when its charge lasts, its active fault codes, which signal seems wrong, its next maintenance, its photo and its project.",
    access: 'session',
    needs: 'see-machines',
    changes: false,
    response: FleetFigures,
  },
  'GET /api/fleet/figures/:serialNumber': {
    summary: 'The same of one machine.',
    access: 'session',
    needs: 'see-machines',
    changes: false,
    params: z.object({ serialNumber: z.string() }),
    response: FleetFigure,
  },
} as const satisfies Record<string, Endpoint>;
