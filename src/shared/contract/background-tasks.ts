import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

export const backgroundTasksApi = {
  'GET /api/background-tasks': {
    summary: 'Long work that is under way on the server, such as filling the demo’s history; usually none.',
    access: 'session',
    changes: false,
    /** `name` is for people; `done` goes from 0 to 1. */
    response: z.array(z.object({ name: z.string(), done: z.number().min(0).max(1) })),
  },
} as const satisfies Record<string, Endpoint>;
