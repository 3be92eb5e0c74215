import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

const Layer = z.object({
  /** What must be shown on the map; plain text. */
  attribution: z.string(),
  /** `built-in` while the upstream tile service is out of reach. */
  source: z.enum(['upstream', 'built-in']),
});

export const mapLayersApi = {
  'GET /api/map/layers': {
    summary: 'Attribution of the base layers, and whether their tile service is within reach.',
    access: 'session',
    changes: false,
    response: z.object({ street: Layer, satellite: Layer }),
  },
} as const satisfies Record<string, Endpoint>;
