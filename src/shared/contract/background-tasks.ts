import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

/** A long task in progress. `name`: Dutch text; `done`: progress, 0 to 1. */
const BackgroundTask = z.object({ name: z.string(), done: z.number().min(0).max(1) });
export type BackgroundTask = z.output<typeof BackgroundTask>;

export const backgroundTasksApi = {
  'GET /api/background-tasks': {
    summary: "Lists long tasks in progress on the server, such as filling the demo's history; usually none.",
    dutch:
      'Lang werk dat op de server bezig is, zoals het vullen van de historie van de demo; meestal niets.',
    response: z.array(BackgroundTask),
  },
} as const satisfies Endpoints;
