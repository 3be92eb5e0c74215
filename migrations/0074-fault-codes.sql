-- Fault codes that ECUs broadcast (DM1 of SAE J1939-73), in the cell of their stream.

-- Has one row per ECU and day (UTC), however many DM1 came.
create table telemetry.dm1_day (
  stream_id integer not null,
  day integer not null,                            -- days since 1970-01-01
  bus smallint not null,
  source smallint not null,
  states jsonb not null,                           -- what was said, and when (dm1-days.ts)
  digest jsonb not null,                           -- what episodes are made of (episodes.ts)
  primary key (stream_id, day, bus, source)
);

-- Has the times in which an ECU reported a code; made from dm1_day.
create table telemetry.fault_episode (
  stream_id integer not null,
  since timestamptz not null,
  bus smallint not null,
  source smallint not null,
  spn integer not null,
  fmi smallint not null,
  is_old_layout boolean not null,
  last_seen timestamptz not null,
  over_at timestamptz,                             -- null: no DM1 without the code came since
  lamp text check (lamp in ('stop', 'warning', 'protect', 'malfunction')),
  occurrences smallint,
  primary key (stream_id, since, bus, source, spn, fmi, is_old_layout)
);
create index fault_episode_active on telemetry.fault_episode (stream_id) where over_at is null;
create index fault_episode_over on telemetry.fault_episode (over_at);
