import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';

export const healthApi = {
  'GET /api/health': {
    summary: '200 when the portal can really serve, with what needs attention, else 503.',
    access: 'public',
    changes: false,
    response: z.object({
      status: z.literal('ok'),
      /** Dutch warnings of problems that can stop the portal, or a part of it. */
      warnings: z.array(z.string()),
      uptimeSeconds: z.number(),
      database: z.object({
        reachable: z.literal(true),
        milliseconds: z.number(),
        /** Of a cluster: shards whose machine gives no answer. Loggers of their machines are asked to repeat, all others go on. */
        cellsAway: z.array(z.string()).optional(),
      }),
      /** The newest backup that was read back, of which null: there is none; and whether scheduled ones (BACKUP_AT) fail. */
      backup: z.object({ ageSeconds: z.number().nullable(), isFailing: z.boolean() }),
      /** Age of the newest reading of any stream; null before the first one. */
      newestReadingAgeSeconds: z.number().nullable(),
    }),
  },
} as const satisfies Record<string, Endpoint>;
