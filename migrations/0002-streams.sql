-- What a reading belongs to (stream), who owned it when, and which logger reported for it when.

-- The history of one machine or one LMB logger. The id is never reused.
create table stream (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('machine', 'logger')),
  serial text not null,                            -- a machine's serial number, an LMB logger's loggerid
  alias text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index stream_serial on stream (serial) where deleted_at is null;

create table machine (
  stream_id integer primary key references stream,
  brand text not null,
  model text not null,
  macaddress text not null default '',
  batteries jsonb not null default '[]',           -- [{capacity: kWh or null}], battery n is element n - 1
  accessories jsonb not null default '[]',         -- [{naam, nummer}]
  initial_hours double precision not null default 0,
  reference_stream_id integer references stream,   -- whose data definition was copied
  version integer not null default 1               -- of this row: two administrators saving at once
);

-- An organization sees the history of its own interval only. The first owner's reaches back without end.
create table ownership (
  id integer generated always as identity primary key,
  stream_id integer not null references stream,
  organization_id integer not null references organization,
  valid_from timestamptz not null default '-infinity',
  valid_to timestamptz not null default 'infinity',
  check (valid_from < valid_to)
);
create unique index ownership_current on ownership (stream_id) where valid_to = 'infinity';
create index ownership_organization on ownership (organization_id, stream_id);

-- A mapping and, per CAN bus, a DBC. Copied for every writer, never shared, so that history keeps its own.
create table definition (
  id integer generated always as identity primary key,
  mapping jsonb not null default '{"signals": [], "keep": []}',
  created_at timestamptz not null default now()
);
create table definition_bus (
  definition_id integer not null references definition on delete cascade,
  bus smallint not null check (bus between 0 and 3),
  bitrate integer not null,                        -- bit/s
  name text not null,
  dbc text not null,
  primary key (definition_id, bus)
);

-- The binding of a logger to a stream. A reading goes to the binding that was valid at the reading's time;
-- a logger's first binding reaches back without end, so that what it recorded before it was registered counts.
create table writer (
  id integer generated always as identity primary key,
  stream_id integer not null references stream,
  logger_serial text not null check (logger_serial ~ '^[0-9]{7}$'),
  definition_id integer references definition,
  valid_from timestamptz not null default '-infinity',
  valid_to timestamptz not null default 'infinity',
  created_at timestamptz not null default now(),
  check (valid_from < valid_to)
);
create unique index writer_current_stream on writer (stream_id) where valid_to = 'infinity';
create unique index writer_current_logger on writer (logger_serial) where valid_to = 'infinity';
create index writer_logger on writer (logger_serial, valid_from);

create table writer_key (
  access_key text primary key,
  writer_id integer not null references writer,
  secret bytea not null,                           -- encrypted with SECRETS_KEY
  created_at timestamptz not null default now(),
  first_used_at timestamptz,
  retired_at timestamptz                           -- refused from then on
);
create index writer_key_writer on writer_key (writer_id);

-- Counters and last words of a logger, of all processes together.
create table writer_health (
  writer_id integer primary key references writer,
  last_seen_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  status jsonb,                                    -- the last Status.json
  status_at timestamptz,
  counters jsonb not null default '{}'             -- name to count, see telemetry/counters.ts
);

-- Well-formed uploads signed with a key that we do not know.
create table unknown_key (
  access_key text primary key,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  count bigint not null default 1
);
