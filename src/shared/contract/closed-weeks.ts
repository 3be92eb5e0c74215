import { z } from 'zod';
import { CONTENT_TYPES } from '#shared/domain/reports/kinds.ts';
import type { Endpoints } from './endpoint.ts';
import { CalendarDay } from './projects.ts';

const serial = z.string().max(200);

const ClosedWeek = z.object({
  /** Day on which the week begins (UTC), 'YYYY-MM-DD'. */
  monday: z.string(),
  /** Functional name (as in calls) and display name (as on screens) of the owner of the readings. */
  organization: z.string(),
  organizationName: z.string(),
  /** Number of readings in files; late readings may still have to be added. */
  readings: z.number(),
  /** Bytes of the week's files; null: only a part of the week was this owner's. */
  bytes: z.number().nullable(),
});
export type ClosedWeek = z.output<typeof ClosedWeek>;

/** Weeks of a machine or LMB logger that are over, whose readings are stored as Parquet files. */
export const closedWeeksApi = {
  'GET /api/machine/closed-week/:serial': {
    summary: 'Lists the closed weeks of a machine or LMB logger, newest first: one entry per week and owner.',
    dutch:
      'De afgesloten weken van een machine of LMB-logger, de nieuwste eerst: een regel per week en eigenaar.',
    needs: 'operate',
    params: z.object({ serial }),
    response: z.object({ weeks: z.array(ClosedWeek) }),
  },
  'GET /api/machine/closed-week/:serial/:monday': {
    summary:
      'Downloads the readings of a closed week as a Parquet file: the stored file, or one that is made of several files and late readings. A week with several owners needs `organization`, and the file has the readings of that owner.',
    dutch:
      'De metingen van een afgesloten week als Parquet-bestand: het bewaarde bestand zelf, of een bestand dat van meer bestanden en late metingen wordt gemaakt. Had de week meer eigenaren, dan zegt organization van wie.',
    needs: 'operate',
    media: CONTENT_TYPES.parquet,
    params: z.object({ serial, monday: CalendarDay }),
    query: z.object({ organization: z.string().max(200).optional() }),
    response: z.unknown(),
  },
} as const satisfies Endpoints;
