-- What the portal's processes keep for themselves and tell each other.

-- Tells every process that what it caches has changed. The counter is the truth (a process asks for it at
-- least every 5 s); the notification only makes it quick.
create table change_counter (
  name text primary key,
  n bigint not null default 0
);
insert into change_counter (name) values ('directory');

-- Long work that a person may wonder about, such as the demo's history: how far it is, for GET /api/background-tasks.
-- Whoever works removes its row at the end; a row that nobody touches any more is of a process that died.
create table background_task (
  name text primary key,                           -- Dutch, shown to people
  done double precision not null check (done between 0 and 1),
  updated_at timestamptz not null default now()
);

-- Something sealed with SECRETS_KEY: a process with another key must not start, since it could open no logger's secret.
create table secrets_check (
  only_one boolean primary key default true check (only_one),
  sealed bytea not null
);

-- GET /api/health writes here, once a second at most: a database that only reads cannot carry the portal.
create table health (
  one boolean primary key default true check (one),
  written_at timestamptz not null default now()
) with (fillfactor = 10);
insert into health default values;

-- How far each stream's readings have been looked at for charging mails (MAIL-01): one row per stream that somebody
-- subscribed to. What it says and the events and mails that follow from it change in one transaction, so that an event
-- is told once, whatever restarts and however many processes look.
create table charging_cursor (
  stream_id integer primary key references stream on delete cascade,
  begin_time timestamptz not null,                 -- newest reading at the first subscription: nothing known before is told
  time timestamptz not null,                       -- of the last reading that counts in `state`
  state jsonb,                                     -- shared/domain/charging-events.ts; null: not looked yet
  charging boolean not null default false,         -- as in `state`
  awake boolean not null default true,             -- `state` waits for something: look every time
  count bigint not null,                           -- of the stream's readings, those that have been looked at
  unsettled integer not null default 0,            -- of the stream's readings, those still too young to be looked at
  seen_at timestamptz not null,                    -- latest.updated_at of that look
  late boolean not null default false,             -- readings came for before `time`: look again at the past hours
  looked_at timestamptz not null default '-infinity',
  reread_at timestamptz not null default '-infinity'
) with (fillfactor = 50);
