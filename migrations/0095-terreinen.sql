-- Terreinen: areas of an organization that are no project, such as a yard (docs/decisions/0072-terreinen.md).
create table terrein (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  kind text check (kind in ('yard', 'workshop', 'depot')),  -- null: not stated
  areas jsonb not null,                            -- as drawn: Area[] of src/shared/domain/area.ts
  counted_from timestamptz not null,               -- since when machines are followed there; before that only places are named
  version integer not null default 1,
  created_at timestamptz not null default now(),
  deleted_at timestamptz                           -- not null: alerts of before go on naming it
);
create unique index terrein_name on terrein (organization_id, lower(name)) where deleted_at is null;

-- From when to when a machine was on which terrein by its positions, cut at midnights.
create table telemetry.terrein_presence (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  terrein_id integer not null,
  primary key (stream_id, from_time)
);
