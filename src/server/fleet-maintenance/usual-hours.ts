import type { Database } from '#server/platform/database.ts';
import { ofStreams } from '#server/platform/shards.ts';
import { daysAfter } from '#shared/domain/amsterdam-time.ts';
import { USUAL_HOURS_DAYS, usualHoursPerWeek } from '#shared/domain/maintenance.ts';

const MS_PER_HOUR = 3_600_000;
const DAY_MS = 86_400_000;

type Row = {
  readonly id: number;
  readonly ms: number;
  /** First day with data in the four weeks, 'YYYY-MM-DD'. */
  readonly first: string;
  readonly isOlder: boolean;
};

/**
 * Returns the usual running hours per week, by stream, from the four weeks before today; machines with fewer than 14 known days are left
 * out.
 * @param organizations null: all
 * @param today 'YYYY-MM-DD'
 */
export async function readUsualHours(
  db: Database,
  organizations: readonly number[] | null,
  streamIds: readonly number[],
  today: string,
): Promise<ReadonlyMap<number, number>> {
  const begin = daysAfter(today, -USUAL_HOURS_DAYS);
  const rows = await ofStreams(db, streamIds, (shard, own) =>
    shard.query<Row>(
      `select d.stream_id as id, sum(d.running_ms)::float8 as ms, min(d.day)::text as first,
         exists (select from telemetry.day_figures e where e.stream_id = d.stream_id and e.day < $3 and e.project_id = 0
           and ($2::integer[] is null or e.organization_id = any ($2))) as is_older
       from telemetry.day_figures d
       where d.stream_id = any ($1) and d.day >= $3 and d.day < $4 and d.project_id = 0
         and ($2::integer[] is null or d.organization_id = any ($2))
       group by d.stream_id`,
      [own, organizations, begin, today],
    ),
  );
  return new Map(
    rows.flatMap(({ id, ms, first, isOlder }) => {
      const days = isOlder ? USUAL_HOURS_DAYS : (Date.parse(today) - Date.parse(first)) / DAY_MS;
      const perWeek = usualHoursPerWeek(ms / MS_PER_HOUR, days);
      return perWeek === undefined ? [] : [[id, perWeek]];
    }),
  );
}
