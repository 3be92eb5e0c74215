-- Readings that an administrator erased are kept for 30 days, so that the act can be undone.

create table erasure (
  id integer generated always as identity primary key,
  stream_id integer not null references stream on delete cascade,
  from_time timestamptz not null,
  to_time timestamptz not null,
  signal text,                                     -- null: all of them
  made_by integer,                                 -- an account's id, which may be gone
  made_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'undoing', 'undone')),
  done_until timestamptz not null default '-infinity',  -- readings before it have been erased
  readings integer not null default 0,             -- of which something was erased
  values bigint not null default 0,
  check (from_time < to_time)
);
create index erasure_stream on erasure (stream_id, made_at);

create table erased_reading (
  stream_id integer not null,
  time timestamptz not null,
  erasure_id integer not null,
  signals jsonb not null,
  primary key (stream_id, erasure_id, time)
);
