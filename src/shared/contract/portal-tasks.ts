import { z } from 'zod';
import { PORTAL_TASK_NAMES } from '#shared/domain/portal-tasks.ts';
import type { Endpoints } from './endpoint.ts';

export const portalTasksApi = {
  'GET /api/portal/tasks': {
    summary:
      'Lists the portal settings that an administrator still has to make, and a Host by which uploads are refused because of a proxy.',
    dutch:
      'Wat administrators aan het portaal zelf moeten instellen, en of een proxy uploads laat weigeren met een andere Host.',
    needs: 'operate',
    response: z.object({
      /** Settings that a portal on the internet needs and that the responding process lacks. */
      settings: z.array(z.enum(PORTAL_TASK_NAMES)),
      /**
       * The Host of the newest upload that was refused because a proxy replaced this header, and the Host of PUBLIC_URL; null: no upload
       * was refused for this reason since the last accepted one.
       */
      host: z.object({ received: z.string(), expected: z.string() }).nullable(),
    }),
  },
} as const satisfies Endpoints;
