import type pg from 'pg';
import type { Database } from '#server/platform/database.ts';
import { inShards, type Shard } from '#server/platform/shards.ts';
import { HIGH_COLUMNS, LOW_COLUMNS, SUM_COLUMNS } from './rollup-columns.ts';

/** Readings still come late in the days after a week. */
const CLOSED_AFTER_DAYS = 2;
/** ms; an index over the roll-up of ten thousand machines takes a minute, the pool's patience ends before. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const KEY = ['stream_id', 'bucket'];
const FIGURES = [...[...SUM_COLUMNS, ...LOW_COLUMNS, ...HIGH_COLUMNS].map(({ column }) => column), 'packs'];

/** A week of the roll-up that is over and has no valid index of all its figures: the oldest. */
const NEXT = `
  select c.relname as week from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'telemetry.rollup'::regclass and c.relname ~ '^rollup_\\d{4}w\\d{2}$'
    and (to_date(substr(c.relname, 8), 'IYYY"w"IW') + 7 + ${CLOSED_AFTER_DAYS})::timestamp at time zone 'UTC' <= $1
    and not exists (
      select from pg_index x join pg_class n on n.oid = x.indexrelid
      where x.indrelid = c.oid and n.relname = c.relname || '_whole' and x.indisvalid
        and x.indnatts = ${KEY.length + FIGURES.length}
    )
  order by 1 limit 1`;

type ClosedWeek = { readonly shard: Shard; readonly week: string };

/** The oldest week that indexClosedWeek would do; undefined: none. */
export async function nextClosedWeek(db: Database, now: number): Promise<ClosedWeek | undefined> {
  const weeks = await inShards(db, async (shard) => {
    const { rows } = await shard.query<{ week: string }>(NEXT, [new Date(now)]);
    return { rows: rows.map(({ week }) => ({ shard, week })) };
  });
  return weeks.sort((a, b) => (a.week < b.week ? -1 : a.week > b.week ? 1 : 0))[0];
}

/**
 * Gives a week of the roll-up that is over an index that holds its figures: a machine's month then lies on a hundred
 * pages in the order of time, and not on one page per bucket between the buckets of all other machines. A week that is
 * still written to has none, since every upload would have to change it too. Nobody waits for it meanwhile; breaking
 * it off leaves an index that is not valid, and is made anew the next time.
 * @param client a connection of its own, of who owns the tables, outside of a transaction; it is of no use to others afterwards
 * @returns the week's partition, undefined when there is none left
 */
export async function indexClosedWeek(client: Database, now: number): Promise<string | undefined> {
  const { shard, week } = (await nextClosedWeek(client, now)) ?? {};
  if (shard === undefined) return undefined;
  // pg's own option, which @types/pg does not know.
  const withoutTimeLimit = (text: string) =>
    shard.query({ text, query_timeout: NO_LIMIT_MS } as pg.QueryConfig);
  await withoutTimeLimit('set statement_timeout = 0');
  await withoutTimeLimit(`drop index concurrently if exists telemetry.${week}_whole`);
  await withoutTimeLimit(
    `create index concurrently ${week}_whole on telemetry.${week} (${KEY}) include (${FIGURES})`,
  );
  // An index answers alone only where the table's pages are known to be seen by all.
  await withoutTimeLimit(`vacuum (analyze) telemetry.${week}`);
  return week;
}
