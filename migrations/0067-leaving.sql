-- Organizations that leave the portal: they are disabled at once, and what is theirs is removed when the grace period is over.
create table leaving (
  organization_id integer primary key references organization on delete cascade,
  started_at timestamptz not null,      -- its machines were deleted and its loggers refused then
  remove_from timestamptz not null,     -- from then on upkeep removes what is its
  removing_since timestamptz,           -- null: it can still be taken back
  was_active boolean not null,
  stream_ids integer[] not null         -- machines and LMB loggers that it had at started_at
);

-- Times at which a stream was an organization's whose history is to be removed, while the rest of the stream stays.
create table erased_period (
  ownership_id integer primary key references ownership on delete cascade,
  asked_at timestamptz not null default now(),
  erased_at timestamptz                 -- null: upkeep is at it
);

-- Running hours of readings that were erased with a former owner's period: the hour meter is the machine's and keeps them.
create table erased_hours (
  stream_id integer not null references stream on delete cascade,
  until timestamptz not null,           -- end of the erased time
  running_ms bigint not null,
  primary key (stream_id, until)
);
