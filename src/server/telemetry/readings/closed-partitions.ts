import type { Shard } from '#server/platform/shards.ts';
import { timeParameter } from './columns.ts';

/** Returns the weekly partitions of readings before a time (ms), oldest first, with the start of their week and their size on disk. */
export async function closedPartitions(
  shard: Shard,
  before: number,
): Promise<readonly { readonly name: string; readonly from: number; readonly bytes: number }[]> {
  const { rows } = await shard.query<{ name: string; from: number; bytes: number }>(
    `select name, date_part('epoch', week) * 1000 as "from", pg_total_relation_size(id)::float8 as bytes from (
       select c.relname as name, c.oid as id, to_date(substr(c.relname, 9), 'IYYY"w"IW')::timestamp at time zone 'UTC' as week
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'telemetry.reading'::regclass and c.relname ~ '^reading_\\d{4}w\\d{2}$'
     ) as partition where week < $1 order by week`,
    [timeParameter(before)],
  );
  return rows;
}
