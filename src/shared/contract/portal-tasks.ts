import { z } from 'zod';
import { PORTAL_TASK_NAMES } from '#shared/domain/portal-tasks.ts';
import type { Endpoint } from './endpoint.ts';

export const portalTasksApi = {
  'GET /api/portal/tasks': {
    summary:
      'Lists the portal settings that an administrator still has to make, and a Host by which uploads are refused because of a proxy.',
    access: 'session',
    needs: 'operate',
    changes: false,
    response: z.object({
      /** Settings that a public portal lacks; each process answers for its own settings. */
      settings: z.array(z.enum(PORTAL_TASK_NAMES)),
      /** The Host of the newest upload that was refused because of it (since the last accepted upload), and the Host of PUBLIC_URL. */
      host: z.object({ received: z.string(), expected: z.string() }).nullable(),
    }),
  },
} as const satisfies Record<string, Endpoint>;
