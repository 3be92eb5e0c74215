import type { Database } from '#server/platform/database.ts';
import { findShards, inShards } from '#server/platform/shards.ts';
import { SCHEMA } from '#server/schema.ts';

/** Runs a statement of a test on the streams' tables in each shard. @param sql names the schema `telemetry` */
export const inEachShard = (db: Database, sql: string, values?: readonly unknown[]): Promise<unknown> =>
  inShards(db, (shard) => shard.query(sql, values));

/**
 * Gives tests that look into the tables of streams, or add rows past the portal, views on those of all shards: by the names that they
 * have where there is one shard. The portal itself never names them so.
 */
export async function showShardsAsOne(db: Database): Promise<void> {
  const shards = await findShards(db);
  if (shards.length < 2) return;
  await db.query(`
    create function public.insert_in_shard() returns trigger language plpgsql as $$
    declare
      -- A column that is not given gets the default of the table.
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
