-- What loggers uploaded: the last objects of each logger, and what could not be read.

-- Documents go when a logger has newer ones, log files by their age (upkeep.ts). A document is replaced every few
-- seconds: there is room on its page for that, and no index (nor an index's condition) has a column that changes then,
-- so that PostgreSQL updates it in place (HOT).
create table object (
  id bigint generated always as identity primary key,
  logger_serial text not null,
  key text not null,                               -- without the bucket
  size bigint not null,
  etag text not null,                              -- hex MD5 of the content
  content_type text not null,
  metadata jsonb not null default '{}',            -- x-amz-meta-*
  modified_at timestamptz not null default now(),
  log_stored_at timestamptz,                       -- null: a document
  outcome text not null default 'stored',          -- what became of it, in words for an administrator
  body bytea,                                      -- a document; a log file is in object_chunk
  unique (logger_serial, key)
) with (fillfactor = 50);
create index object_logs on object (log_stored_at) where log_stored_at is not null;

create table object_chunk (
  object_id bigint not null references object on delete cascade,
  n integer not null,
  data bytea not null,
  primary key (object_id, n)
);
alter table object_chunk alter column data set storage external;

-- Well-signed deliveries, or readings of one, that cannot become history. Bounded per logger.
create table quarantine (
  id bigint generated always as identity primary key,
  logger_serial text not null,
  key text not null,
  received_at timestamptz not null default now(),
  reason text not null,
  size bigint not null,
  body bytea                                       -- the first 64 KiB
);
create index quarantine_logger on quarantine (logger_serial, id desc);

-- How far `npm run import` came with a file, so that it can go on.
create table import_progress (
  fingerprint text primary key,
  resume jsonb not null,                           -- LogResume of telemetry/decode
  finished boolean not null default false,
  updated_at timestamptz not null default now()
);
