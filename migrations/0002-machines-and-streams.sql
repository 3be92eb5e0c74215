-- What a reading belongs to (stream), who owned it when, which logger reported for it when and with what, and what
-- people keep about a machine.

-- The history of one machine or one LMB logger. The id is never reused.
create table stream (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('machine', 'logger')),
  serial text not null,                            -- a machine's serial number, an LMB logger's loggerid
  alias text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  purged_at timestamptz                            -- since then its readings are being removed: no way back
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
  takes_reference boolean not null default false,  -- chosen while no logger is bound: the next one gets its definition
  version integer not null default 1               -- of this row: two administrators saving at once
);

-- The photo and the manual of a machine: in the database, so that its backup has them and every process serves them.
create table machine_file (
  stream_id integer not null references stream on delete cascade,
  kind text not null check (kind in ('photo', 'manual')),
  name text not null,                              -- a safe file name, as a browser is told to save it
  content_type text not null,
  size integer not null,                           -- bytes of body
  hash text not null,                              -- SHA-256 of body, hexadecimal: part of its address
  body bytea not null,
  created_at timestamptz not null default now(),
  primary key (stream_id, kind)
);
-- WebP and PDF are compressed already: stored as they are, they are read without unpacking.
alter table machine_file alter column body set storage external;

-- Mails about charging: who wants them.
create table subscription (
  stream_id integer not null references stream on delete cascade,
  account_id integer not null references account on delete cascade,
  created_at timestamptz not null default now(),
  primary key (stream_id, account_id)
);
create index subscription_account on subscription (account_id);

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

-- A mapping and, per CAN bus, a DBC. Copied for every writer, never shared, so that history keeps its own. Every
-- definition that a stream ever had stays with it; the newest one is its writer's.
create table definition (
  id integer generated always as identity primary key,
  stream_id integer references stream,
  mapping jsonb not null default '{"signals": [], "keep": []}',
  created_at timestamptz not null default now()
);
create index definition_stream on definition (stream_id);
create table definition_bus (
  definition_id integer not null references definition on delete cascade,
  bus smallint not null check (bus between 0 and 3),
  bitrate integer not null,                        -- bit/s
  name text not null,
  dbc text not null,
  primary key (definition_id, bus)
);
-- The definition that a stream's next logger gets, uploaded while none is bound; null: that of its last one.
alter table stream add column next_definition_id integer references definition on delete set null;

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
  guid_since timestamptz,                          -- since when it reports the configuration of that Status.json
  counters jsonb not null default '{}'             -- name to count, see telemetry/counters.ts
);

-- How the logger of a stream reaches the portal; what is empty comes from the LOGGER_* settings.
create table logger_network (
  stream_id integer primary key references stream on delete cascade,
  kind text not null check (kind in ('mobile', 'wifi')),
  apn text not null default '',
  wifi_ssid text not null default '',
  sim_pin bytea,                                   -- encrypted with SECRETS_KEY, as is the password
  wifi_password bytea,
  updated_at timestamptz not null default now()
);

-- Every config.xml that was made; only the newest of a writer keeps its text.
create table logger_config (
  id integer generated always as identity primary key,
  writer_id integer not null references writer,
  guid text not null,                              -- lower case; Status.json tells it back
  access_key text not null,
  definition_id integer,
  xml bytea,                                       -- encrypted with SECRETS_KEY
  created_at timestamptz not null,
  downloaded_at timestamptz
);
create index logger_config_writer on logger_config (writer_id, id desc);

-- Loggers whose bindings were removed with a machine. What they recorded until then is nobody else's (INGEST-06).
create table former_logger (
  logger_serial text primary key,
  until timestamptz not null
);

-- Well-formed uploads signed with a key that we do not know.
create table unknown_key (
  access_key text primary key,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  count bigint not null default 1
);
