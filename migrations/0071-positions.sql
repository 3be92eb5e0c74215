-- Distance without driving, and positions that do not count (docs/figures.md sections 1 and 6). null: counted by an older version.
alter table rollup
  add column carried_mm bigint,
  add column unused_no_fix bigint,
  add column unused_null_island bigint,
  add column unused_jumps bigint;
alter table day_figures
  add column carried_mm bigint,
  add column unused_no_fix bigint,
  add column unused_null_island bigint,
  add column unused_jumps bigint;

-- Computed from the readings, once; what is counted by day follows.
update latest set recompute_from = '-infinity' where time > '-infinity';

-- The weekly indexes lack the new columns: upkeep creates new ones.
do $$
declare
  one text;
begin
  for one in select c.relname from pg_class c where c.relkind = 'i' and c.relname ~ '^rollup_\d{4}w\d{2}_whole$' loop
    execute format('drop index %I', one);
  end loop;
end $$;
