import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

/** The path lies outside /api, because Prometheus requests /metrics by default. */
export const metricsApi = {
  'GET /metrics': {
    summary:
      'Returns the metrics for Prometheus (text format 0.0.4), for an administrator or with METRICS_TOKEN.',
    dutch:
      'Cijfers voor Prometheus (tekstformaat 0.0.4): voor een administrator, of met het token METRICS_TOKEN.',
    needs: 'operate',
    token: 'metrics',
    media: 'text/plain',
    response: z.unknown(),
  },
} as const satisfies Endpoints;
