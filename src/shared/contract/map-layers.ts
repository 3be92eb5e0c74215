import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

const Layer = z.object({
  /** Attribution that must be shown on the map; plain text. */
  attribution: z.string(),
  /** `built-in`: the upstream tile service does not respond. */
  source: z.enum(['upstream', 'built-in']),
});

export const mapLayersApi = {
  'GET /api/map/layers': {
    summary: 'Returns the attribution of the base layers, and whether their tile service responds.',
    dutch: 'De bronvermelding van de kaartlagen, en of hun kaartdienst bereikbaar is.',
    response: z.object({ street: Layer, satellite: Layer }),
  },
} as const satisfies Endpoints;
