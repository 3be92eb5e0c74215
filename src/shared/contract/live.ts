import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';
import { Accessory, Battery } from './machine-fields.ts';

/** The record of a machine or an LMB logger. */
const LiveMetadata = z.object({
  /** `logger`: an LMB logger, keyed by its loggerid. */
  kind: z.enum(['machine', 'logger']),
  serialNumber: z.string(),
  /** Functional name of the owning organization, and its display name. */
  organization: z.string(),
  cleanorg: z.string(),
  alias: z.string(),
  brand: z.string(),
  model: z.string(),
  macaddress: z.string(),
  /** Serial number of the logger that reports for the machine now; empty when there is none. */
  loggerId: z.string(),
  batteries: z.array(Battery),
  hulpstukken: z.array(Accessory),
});
export type LiveMetadata = z.output<typeof LiveMetadata>;

/**
 * The newest value of each signal that the live rules use. LATITUDE and LONGITUDE are 0 when there is no position. GMT_UNIX: time of the
 * newest reading, unix seconds; 0 when there was none yet. POSITION_UNIX: time of the position, which may be older than the other signals.
 * Further keys: MotorSpeed, ChargingCurrent, ChargingVoltage, BatteryCurrent, BatteryVoltage, Speed, Machinestatus (LMB loggers), every
 * IsCharging* and every soc*; each is absent when it is more than 5 minutes older than the newest reading.
 */
const LiveData = z
  .object({ LATITUDE: z.number(), LONGITUDE: z.number(), GMT_UNIX: z.number() })
  .catchall(z.number());
export type LiveData = Readonly<z.output<typeof LiveData>>;

const LiveEntry = z.object({ metadata: LiveMetadata, liveData: LiveData });
export type LiveEntry = Readonly<z.output<typeof LiveEntry>>;

/** Keyed by serial number (machines) or loggerid (LMB loggers). */
const LiveResponse = z.record(z.string(), LiveEntry);
export type LiveResponse = Readonly<z.output<typeof LiveResponse>>;

/** Calls that return the live data of machines and LMB loggers (API-01). */
export const liveApi = {
  'GET /api/live': {
    summary:
      "Returns the newest values of the caller's machines and LMB loggers, keyed by serial number or loggerid. Supports ETag and 304.",
    dutch:
      'De nieuwste waarden van de eigen machines en LMB-loggers, op serienummer of loggerid. Kent ETag en 304.',
    response: LiveResponse,
  },
} as const satisfies Endpoints;
