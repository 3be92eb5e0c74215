import { z } from 'zod';
import { LAMPS } from '#shared/domain/fault-codes.ts';
import type { Endpoints } from './endpoint.ts';
import { MaintenanceDue } from './maintenance.ts';

/** The figures of a machine that live data do not contain. */
const FleetFigure = z.object({
  /** kW while running, of the last 30 days; null: not known. */
  power: z.number().nullable(),
  /** The figures of today in Amsterdam, as in GET /api/influx/days; absent: no readings today. */
  today: z
    .object({
      /** Seconds. */
      running: z.number(),
      /** kWh; null: not known. */
      out: z.number().nullable(),
      /** Distance, m. */
      driven: z.number(),
      carried: z.number(),
      /** Share of the time between first and last activity in which there are readings; null: no activity. */
      coverage: z.number().nullable(),
    })
    .optional(),
  /** The charge in progress will be full between these ISO times, UTC. */
  forecast: z.object({ from: z.string(), to: z.string() }).optional(),
  /**
   * Until when the machine's charge lasts on a usual day of this weekday: ISO time, UTC, at which the level falls
   * below 20 %; null: the level is not expected to fall below 20 % in the next 24 hours, or in the shorter time that
   * the forecast covers. Absent: the machine charges, is silent, or has too little history.
   */
  enough: z.object({ until: z.string().nullable() }).optional(),
  /** The hash of the machine's photo in `GET /api/img/:serial/:hash`; absent: the machine has no photo. */
  photo: z.string().optional(),
  /** The fault codes that are active and were received in the last 24 hours: their number, and the most severe code. */
  faults: z
    .object({
      count: z.number().int(),
      spn: z.number().int(),
      fmi: z.number().int(),
      isOldLayout: z.boolean(),
      lamp: z.enum(LAMPS).nullable(),
    })
    .optional(),
  /** A short Dutch text about the signal that seems wrong, because charge level and energy contradict each other. */
  contradiction: z.string().optional(),
  /** The maintenance plan that is due first; absent: the machine has no plan. */
  maintenance: z
    .object({
      planName: z.string(),
      ...MaintenanceDue,
    })
    .optional(),
  /** The project that the machine is on now. */
  project: z.object({ _id: z.number().int(), projectName: z.string() }).optional(),
});
export type FleetFigure = z.output<typeof FleetFigure>;

/** The figures of each machine, by serial number. */
const FleetFigures = z.record(z.string(), FleetFigure);
export type FleetFigures = z.output<typeof FleetFigures>;

/** The overview of a fleet (docs/figures.md sections 5 and 13). */
export const fleetFiguresApi = {
  'GET /api/fleet/figures': {
    summary:
      "Returns the figures of each machine that live data do not contain: mean power over 30 days, today's running time, energy and distance, when it will be full, until when its charge lasts, active fault codes, a signal that seems wrong, the next maintenance, photo and project.",
    dutch:
      'Van elke machine wat live data niet zegt: het gemiddelde vermogen van de laatste 30 dagen, draaitijd en verbruik van vandaag, wanneer zij vol is, tot wanneer haar lading genoeg is, haar actieve storingscodes, haar foto, en op welk project zij is.',
    needs: 'see-machines',
    response: FleetFigures,
  },
  'GET /api/fleet/figures/:serialNumber': {
    summary: 'Returns the figures of one machine, as in GET /api/fleet/figures.',
    dutch: 'Hetzelfde van een machine.',
    needs: 'see-machines',
    params: z.object({ serialNumber: z.string() }),
    response: FleetFigure,
  },
} as const satisfies Endpoints;
