import type { Database } from '#server/platform/database.ts';
import { findShards, runInAllShards } from '#server/platform/shards.ts';
import { SCHEMA } from '#server/schema.ts';

/**
 * Runs a test's statement in each shard, on the tables that have rows per stream.
 * @param sql a statement that names the tables with the schema `telemetry`
 */
export const inEachShard = (db: Database, sql: string, values?: readonly unknown[]): Promise<unknown> =>
  runInAllShards(db, (shard) => shard.query(sql, values));

/**
 * Creates a view per stream table that shows the rows of all shards, under the table's name in a database with one shard, for tests that
 * read those tables or add rows without the portal. The portal itself never uses these views.
 */
export async function showShardsAsOne(db: Database): Promise<void> {
  const shards = await findShards(db);
  if (shards.length < 2) return;
  await db.query(`
    create function public.insert_in_shard() returns trigger language plpgsql as $$
    declare
            -- A column without a value gets the default of the table.
      given text := (select string_agg(quote_ident(key), ', ') from jsonb_each(to_jsonb(new)) where value <> 'null');
      shard text := 'telemetry_' || to_char(new.stream_id % ${shards.length}, 'fm00');
    begin
      execute format('insert into %I.%I (%s) select %3$s from (select ($1).*) as n', shard, tg_table_name, given) using new;
      return new;
    end $$;
    create function public.ensure_week(moment timestamptz) returns void language sql
      begin atomic ${shards.map((shard) => `select ${shard}.ensure_week(moment);`).join(' ')} end;
    create function public.has_week(suffix text) returns boolean language sql
      return ${shards.map((shard) => `${shard}.has_week(suffix)`).join(' and ')};`);
  for (const table of SCHEMA.spread) {
    const all = shards.map((shard) => `select * from ${shard}.${table}`).join(' union all ');
    await db.query(`create view public.${table} as ${all};
      create trigger insert_in_shard instead of insert on public.${table}
      for each row execute function public.insert_in_shard()`);
  }
}
