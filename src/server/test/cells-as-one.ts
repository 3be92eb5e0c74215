import { findCells, inCells } from '#server/platform/cells.ts';
import type { Database } from '#server/platform/database.ts';
import { SCHEMA } from '#server/schema.ts';

/** What tests do to the tables of streams themselves. @param sql names the schema `telemetry` */
export const inEachCell = (db: Database, sql: string, values?: readonly unknown[]): Promise<unknown> =>
  inCells(db, (cell) => cell.query(sql, values));

/**
 * Gives tests that look into the tables of streams, or add rows past the portal, views on those of all cells: by the names that they
 * have where there is one cell. The portal itself never names them so.
 */
export async function showCellsAsOne(db: Database): Promise<void> {
  const cells = await findCells(db);
  if (cells.length < 2) return;
  await db.query(`
    create function public.insert_in_cell() returns trigger language plpgsql as $$
    declare
      -- What is not given is what the table itself would make of it.
      given text := (select string_agg(quote_ident(key), ', ') from jsonb_each(to_jsonb(new)) where value <> 'null');
      cell text := 'telemetry_' || to_char(new.stream_id % ${cells.length}, 'fm00');
    begin
      execute format('insert into %I.%I (%s) select %3$s from (select ($1).*) as n', cell, tg_table_name, given) using new;
      return new;
    end $$;
    create function public.ensure_week(moment timestamptz) returns void language sql
      begin atomic ${cells.map((cell) => `select ${cell}.ensure_week(moment);`).join(' ')} end;
    create function public.has_week(suffix text) returns boolean language sql
      return ${cells.map((cell) => `${cell}.has_week(suffix)`).join(' and ')};`);
  for (const table of SCHEMA.spread) {
    const all = cells.map((cell) => `select * from ${cell}.${table}`).join(' union all ');
    await db.query(`create view public.${table} as ${all};
      create trigger insert_in_cell instead of insert on public.${table}
      for each row execute function public.insert_in_cell()`);
  }
}
