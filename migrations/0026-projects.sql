-- Projects, who was on them, days and charging sessions (docs/figures.md section 13; docs/decisions/0034).

create table project (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  name text not null,
  number text not null default '',
  client text not null default '',                 -- opdrachtgever
  first_day date not null,                         -- in Amsterdam
  last_day date,                                   -- null: no end yet
  areas jsonb not null default '[]',               -- of src/shared/domain/area.ts
  created_at timestamptz not null default now(),
  deleted_at timestamptz,                          -- kept for the reports that name it
  version integer not null default 1,
  check (last_day >= first_day)
);
create index project_organization on project (organization_id);

-- Machines on a project by hand; nobody is on two at a time.
create table assignment (
  id integer generated always as identity primary key,
  project_id integer not null references project,
  stream_id integer not null references stream on delete cascade,
  valid_from timestamptz not null,
  valid_to timestamptz not null default 'infinity',
  check (valid_from < valid_to)
);
create index assignment_stream on assignment (stream_id, valid_from);
create index assignment_project on assignment (project_id);

alter table rollup
  add column full_ms bigint,                       -- charging though full
  add column charge_watts double precision,        -- the highest power that went in
  add column south double precision,               -- of all positions
  add column west double precision,
  add column north double precision,
  add column east double precision;

-- The figures of a day in Amsterdam, on a project and (project_id 0) at all.
create table day_figures (
  stream_id integer not null,
  day date not null,
  organization_id integer not null,
  project_id integer not null,
  count integer not null,
  running_ms bigint not null,
  charging_ms bigint not null,
  idle_ms bigint not null,
  out_mj bigint not null,
  in_mj bigint not null,
  charged_mj bigint not null,
  distance_mm bigint not null,
  heard_ms bigint not null,
  known_ms bigint not null,
  window_ms bigint not null,                       -- from first to last activity
  window_heard_ms bigint not null,
  first_active timestamptz,
  last_active timestamptz,
  soc_min double precision,
  soc_max double precision,
  presence jsonb,                                  -- of project 0: where it was at the end (src/shared/domain/presence.ts)
  primary key (stream_id, day, organization_id, project_id)
);

-- From when to when a machine was on which project, cut at midnights.
create table presence (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  project_id integer not null,
  by_hand boolean not null,
  unseen_ms bigint not null,                       -- heard without a position
  primary key (stream_id, from_time)
);

create table charging_session (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  charging_ms bigint not null,
  full_ms bigint not null,
  charged_mj bigint not null,
  highest_watts double precision,
  soc_from double precision[] not null,            -- by battery number less 1
  soc_to double precision[] not null,
  latitude double precision,
  longitude double precision,
  ended text,                                      -- null: it goes on
  primary key (stream_id, from_time)
);

-- How far the days of a stream are counted.
create table day_cursor (
  stream_id integer primary key,
  counted_at timestamptz,                          -- latest.updated_at of then; null: nothing yet
  time timestamptz not null default '-infinity'    -- of the newest reading then
);
insert into day_cursor (stream_id) select stream_id from latest;
-- What changed of buckets that were there: from when on a stream's days are to be counted anew.
create table changed_history (
  stream_id integer not null,
  id uuid not null default gen_random_uuid(),
  from_time timestamptz not null,
  primary key (stream_id, id)
);

-- The columns above are computed from the readings, once.
update latest set recompute_from = '-infinity' where time > '-infinity';

-- Their index lacks the new columns: upkeep makes it anew.
do $$
declare
  one text;
begin
  for one in select c.relname from pg_class c where c.relkind = 'i' and c.relname ~ '^rollup_\d{4}w\d{2}_whole$' loop
    execute format('drop index %I', one);
  end loop;
end $$;
