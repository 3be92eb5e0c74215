-- The weekly partitions (telemetry/partitions.ts). Readings of a week whose partitions could not be created are in the default
-- partition, and are moved when the partitions can be created.

-- Returns whether the week has its partitions. An unrelated table with the same name does not count.
create or replace function telemetry.has_week(suffix text) returns boolean language sql stable return (
  select count(*) = 2 from pg_inherits
  where (inhparent, inhrelid) in (
    ('telemetry.reading'::regclass, to_regclass('telemetry.reading_' || suffix)),
    ('telemetry.rollup'::regclass, to_regclass('telemetry.rollup_' || suffix))
  )
);

-- Creates the partitions of the week (Monday, UTC) that contains `moment`, and moves the week's rows from the default
-- partitions. Safe to repeat and to run concurrently. It does not wait long for a lock, because later queries would
-- wait behind it. It runs with the rights of the tables' owner: the portal's role owns none.
create or replace function telemetry.ensure_week(moment timestamptz) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp set lock_timeout = '3s' as $$
declare
  -- Maximum number of rows that are moved: as many as take a few seconds, while the default partition is locked. If there are more,
  -- they stay there.
  most constant integer := 200000;
  week_start timestamptz := date_trunc('week', moment at time zone 'UTC') at time zone 'UTC';
  week_end timestamptz := (date_trunc('week', moment at time zone 'UTC') + interval '7 days') at time zone 'UTC';
  suffix text := to_char(week_start at time zone 'UTC', 'IYYY"w"IW');
  parent text;
  key text;
  child text;
  waiting integer;
begin
  if telemetry.has_week(suffix) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('werkstroom partitions'));
  for parent, key in values ('reading', 'time'), ('rollup', 'bucket') loop
    child := parent || '_' || suffix;
    if exists (select from pg_inherits where inhparent = ('telemetry.' || parent)::regclass and inhrelid = to_regclass('telemetry.' || child)) then
      continue;
    end if;
    if to_regclass('telemetry.' || child) is not null then
      raise exception 'The table % is in the way of a partition of that name: rename or drop it.', child
        using errcode = 'duplicate_table';
    end if;
    execute format('select count(*) from (select from telemetry.%I where %I >= $1 and %2$I < $2 limit $3) as few', parent || '_default', key)
      into waiting using week_start, week_end, most + 1;
    if waiting > most then
      raise exception 'More than % rows of % wait in the default partition, where they stay.', most, child;
    end if;
    execute format('create table telemetry.%I (like telemetry.%I including all excluding comments)', child, parent);
    if waiting > 0 then
      execute format('lock table telemetry.%I in access exclusive mode', parent || '_default');
      execute format(
        'with moved as (delete from telemetry.%I where %I >= $1 and %2$I < $2 returning *) insert into telemetry.%I select * from moved',
        parent || '_default', key, child
      ) using week_start, week_end;
    end if;
    -- Attaches the partition separately, because `create table … partition of` would wait for all readers of any week.
    execute format('alter table telemetry.%I attach partition telemetry.%I for values from (%L) to (%L)', parent, child, week_start, week_end);
  end loop;
end $$;
