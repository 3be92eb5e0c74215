import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { UNUSED_LATITUDE, UNUSED_LONGITUDE } from '#shared/domain/unused-names.ts';
import { inside } from './range-figures.ts';

/**
 * Returns how many charge levels of 0 are left out of the figures (docs/figures.md section 1.8), in the part of a range in which the caller
 * owned the machine. They are counted from readings, so that a week whose readings were removed has none.
 */
export async function countUnusedLevels(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
): Promise<number> {
  const ranges = own.flatMap((one) => inside(one, range));
  const { rows } = await ofStream(db, streamId).query<{ count: number }>(
    `select count(*)::int as count
     from unnest($2::timestamptz[], $3::timestamptz[]) as w (since, until) cross join lateral (
       select rest from telemetry.reading
       where stream_id = $1 and time >= w.since and time < w.until and rest::text like '%"Unused.%' offset 0
     ) as r cross join lateral jsonb_object_keys(r.rest) as name
     where name like 'Unused.%' and name <> all ($4)`,
    [
      streamId,
      ranges.map(({ from }) => new Date(from)),
      ranges.map(({ to }) => new Date(to)),
      [UNUSED_LATITUDE, UNUSED_LONGITUDE],
    ],
  );
  return rows[0]?.count ?? 0;
}
