import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

/** Long work under way. `name` is Dutch, for people; `done` goes from 0 to 1. */
const BackgroundTask = z.object({ name: z.string(), done: z.number().min(0).max(1) });
export type BackgroundTask = z.output<typeof BackgroundTask>;

export const backgroundTasksApi = {
  'GET /api/background-tasks': {
    summary: 'Long work that is under way on the server, such as filling the demo’s history; usually none.',
    access: 'session',
    changes: false,
    response: z.array(BackgroundTask),
  },
} as const satisfies Record<string, Endpoint>;
