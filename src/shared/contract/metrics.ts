import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** Outside /api, where Prometheus looks first. */
export const metricsApi = {
  'GET /metrics': {
    summary:
      'Returns the metrics for Prometheus (text format 0.0.4), for an administrator or with METRICS_TOKEN.',
    dutch:
      'Cijfers voor Prometheus (tekstformaat 0.0.4): voor een administrator, of met het token METRICS_TOKEN.',
    access: 'session',
    needs: 'operate',
    token: 'metrics',
    changes: false,
    media: 'text/plain',
    response: z.unknown(),
  },
} as const satisfies Record<string, Endpoint>;
