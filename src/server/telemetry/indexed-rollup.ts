import { type Database, MAX_TIMEOUT_MS, withTimeLimit } from '#server/platform/database.ts';
import { runInAllShards, type Shard } from '#server/platform/shards.ts';
import { firstOpenWeek } from './readings/weeks.ts';
import { HIGHEST_VALUE_COLUMNS, LOWEST_VALUE_COLUMNS, SUM_COLUMNS } from './rollup-columns.ts';

const KEY = ['stream_id', 'bucket'];
const FIGURES = [
  ...[...SUM_COLUMNS, ...LOWEST_VALUE_COLUMNS, ...HIGHEST_VALUE_COLUMNS].map(({ column }) => column),
  'packs',
];

/**
 * SQL for the maximum size in bytes of a compact index. A larger one has many empty pages, because its week received readings after
 * the index was made.
 */
const MAX_SIZE_BYTES = 'greatest(1.5 * pg_relation_size(c.oid), 1e6)';

/** SQL that finds the oldest closed week of the roll-up without a valid, compact index of all its figures. */
const NEXT = `
  select c.relname as week from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'telemetry.rollup'::regclass and c.relname ~ '^rollup_\\d{4}w\\d{2}$'
    and to_date(substr(c.relname, 8), 'IYYY"w"IW')::timestamp at time zone 'UTC' < $1
    and not exists (
      select from pg_index x join pg_class n on n.oid = x.indexrelid
      where x.indrelid = c.oid and n.relname = c.relname || '_whole' and x.indisvalid
        and x.indnatts = ${KEY.length + FIGURES.length} and pg_relation_size(n.oid) <= ${MAX_SIZE_BYTES}
    )
  order by 1 limit 1`;

type ClosedWeek = { readonly shard: Shard; readonly week: string };

/** Returns the oldest week that indexClosedWeek would index; undefined when there is none. */
export async function findClosedWeekToIndex(db: Database, now: number): Promise<ClosedWeek | undefined> {
  const weeks = await runInAllShards(db, async (shard) => {
    const { rows } = await shard.query<{ week: string }>(NEXT, [new Date(firstOpenWeek(now))]);
    return { rows: rows.map(({ week }) => ({ shard, week })) };
  });
  return weeks.sort((a, b) => (a.week < b.week ? -1 : a.week > b.week ? 1 : 0))[0];
}

/**
 * Creates a covering index for a closed week of the roll-up. In the index a month of one machine is on a hundred pages, in the
 * order of time. In the table it takes one page per bucket, because the buckets of all machines are mixed. A week that still
 * receives readings has no such index, because every upload would have to update it. Creating it blocks no reader or writer. An
 * index whose creation was interrupted, or that late readings have made half empty, is recreated.
 * @param client a separate connection of the tables' owner, outside a transaction; it cannot be reused afterwards
 * @returns the week's partition; undefined when there is no week to index
 */
export async function indexClosedWeek(client: Database, now: number): Promise<string | undefined> {
  // Indexing the roll-up of ten thousand machines takes a minute, which is longer than the pool's time limit.
  const { shard, week } = (await findClosedWeekToIndex(withTimeLimit(client, MAX_TIMEOUT_MS), now)) ?? {};
  if (shard === undefined) return undefined;
  await shard.query('set statement_timeout = 0');
  await shard.query(`drop index concurrently if exists telemetry.${week}_whole`);
  await shard.query(
    `create index concurrently ${week}_whole on telemetry.${week} (${KEY}) include (${FIGURES})`,
  );
  // An index-only scan requires that the pages of the table are marked as visible to all.
  await shard.query(`vacuum (analyze) telemetry.${week}`);
  return week;
}
