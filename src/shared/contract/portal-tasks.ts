import { z } from 'zod';
import { PORTAL_TASK_NAMES } from '#shared/domain/portal-tasks.ts';
import type { Endpoint } from './endpoint.ts';

export const portalTasksApi = {
  'GET /api/portal/tasks': {
    summary:
      'What administrators have to set of the portal itself, and whether a proxy makes it refuse uploads by another Host.',
    access: 'session',
    needs: 'operate',
    changes: false,
    response: z.object({
      /** Settings that a portal for others lacks; each process answers by its own. */
      settings: z.array(z.enum(PORTAL_TASK_NAMES)),
      /** The Host of the newest upload that was refused for it, since the last one that was accepted, and the one of PUBLIC_URL. */
      host: z.object({ received: z.string(), expected: z.string() }).nullable(),
    }),
  },
} as const satisfies Record<string, Endpoint>;
