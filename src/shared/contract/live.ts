import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const Metadata = z.object({
  kind: z.enum(['machine', 'logger']),
  serialNumber: z.string(),
  organization: z.string(),
  cleanorg: z.string(),
  alias: z.string(),
  brand: z.string(),
  model: z.string(),
  macaddress: z.string(),
  loggerId: z.string(),
  batteries: z.array(z.object({ capacity: z.number().nullable() })),
  hulpstukken: z.array(z.object({ naam: z.string(), nummer: z.number().int() })),
});

const LiveData = z
  .object({ LATITUDE: z.number(), LONGITUDE: z.number(), GMT_UNIX: z.number() })
  .catchall(z.number());

/** API-01, Live; the fields are told in domain/live.ts. */
export const liveApi = {
  'GET /api/live': {
    summary:
      "The newest values of the caller's machines and LMB loggers, keyed by serial number or loggerid. ETag/304.",
    access: 'session',
    changes: false,
    response: z.record(z.string(), z.object({ metadata: Metadata, liveData: LiveData })),
  },
} as const satisfies Record<string, Endpoint>;
