-- What happened to a logger, and what a deletion that is taken back brings back.

-- What no other table tells, the last of each binding (writers/sql/note-logger-events.sql).
create table logger_event (
  id bigint generated always as identity primary key,
  writer_id integer not null references writer,
  at timestamptz not null,
  kind text not null,                              -- writers/logger-events.ts
  detail text not null
);
create index logger_event_writer on logger_event (writer_id, id desc);

-- Refused because the binding ended, not because it was replaced or withdrawn: in force again when the binding is.
alter table writer_key add column ended_with_binding boolean not null default false;
