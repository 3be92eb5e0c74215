import { z } from 'zod';
import type { Endpoints } from './endpoint.ts';

export const healthApi = {
  'GET /api/health': {
    summary: 'Answers 200 with warnings when the portal can serve requests, otherwise 503.',
    dutch: '200 als het portaal echt kan werken, met wat aandacht vraagt, anders 503.',
    access: 'public',
    response: z.object({
      status: z.literal('ok'),
      /** Dutch warnings of problems that can stop the portal, or a part of it. */
      warnings: z.array(z.string()),
      uptimeSeconds: z.number(),
      database: z.object({
        reachable: z.literal(true),
        milliseconds: z.number(),
        /** In a cluster: shards that do not respond. Loggers of their machines must retry their uploads; all other loggers are served. */
        cellsAway: z.array(z.string()).optional(),
        /**
         * Number of weeks that are over and whose readings are not all in Parquet files yet; undefined: unknown. Soon
         * after an update it counts all weeks.
         */
        weeksToClose: z.number().optional(),
      }),
      /** Age of the newest verified backup, null: there is none; and whether scheduled backups (BACKUP_AT) fail. */
      backup: z.object({ ageSeconds: z.number().nullable(), isFailing: z.boolean() }),
      /** Age of the newest reading of all streams; null before the first reading. */
      newestReadingAgeSeconds: z.number().nullable(),
    }),
  },
} as const satisfies Endpoints;
