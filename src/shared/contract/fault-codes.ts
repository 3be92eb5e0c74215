import { z } from 'zod';
import { LAMPS } from '#shared/domain/fault-codes.ts';
import type { Endpoints } from './endpoint.ts';
import { singleLineText } from './projects.ts';

const MAX_FAULTS = 1_000;
const USUAL_FAULTS = 20;
/** ISO time with zone, or relative to now: '-30d'. For an invalid time the server returns a Dutch message. */
const moment = z.string().max(40);

const Fault = z.object({
  /** The number of the CAN bus, and the address of the ECU. */
  bus: z.number().int(),
  source: z.number().int(),
  spn: z.number().int(),
  fmi: z.number().int(),
  /** The ECU uses an older bit layout: `spn` is not the real SPN, but what its bits mean in version 4 of the standard. */
  isOldLayout: z.boolean(),
  /** ISO times, UTC; `over`: when the ECU first sent a DM1 without the code, null: it has sent none yet. */
  since: z.string(),
  lastSeen: z.string(),
  over: z.string().nullable(),
  /** The most severe lamp that was on in a DM1 with the code. */
  lamp: z.enum(LAMPS).nullable(),
  /** The greatest count that the ECU reported; null: the ECU reports no count. */
  occurrences: z.number().int().nullable(),
});
export type Fault = z.output<typeof Fault>;

const Faults = z.object({
  /** Active ones first, then the newest. */
  faults: z.array(Fault),
  /** Number of all fault codes, also those that are not in `faults`. */
  total: z.number().int(),
  /** The machine has ECUs that report fault codes. */
  hasDm1: z.boolean(),
});
export type Faults = z.output<typeof Faults>;

/** The fault codes that a machine's ECUs report (DM1 of SAE J1939-73). */
export const faultCodesApi = {
  'GET /api/fault/get': {
    summary:
      'Lists the fault codes of a machine: since when each is active, when it was last received and when it ended. With `start` and `end`: only those that were received or ended in that time.',
    dutch:
      'De storingscodes van een machine: sinds wanneer elk actief is, wanneer die voor het laatst is gezien en sinds wanneer die over is. Met `start` en `end` alleen wat in die tijd is gezien of eindigde.',
    needs: 'see-machines',
    query: z.object({
      serial: singleLineText(64),
      start: moment.optional(),
      end: moment.optional(),
      most: z.coerce.number().int().min(1).max(MAX_FAULTS).default(USUAL_FAULTS),
    }),
    response: Faults,
  },
} as const satisfies Endpoints;
