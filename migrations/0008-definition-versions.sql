-- Every version of a data definition is kept: who made it, and until when a binding had it.

alter table definition add column made_by text;    -- e-mail; null: unknown

-- Tells equal DBC files without reading them.
alter table definition_bus add column digest text not null generated always as (md5(dbc)) stored;

-- Which definitions a binding had before its present one (writer.definition_id): a log is decoded by the one of its time.
create table former_definition (
  writer_id integer not null references writer on delete cascade,
  until timestamptz not null,
  definition_id integer not null references definition,
  primary key (writer_id, until)
);
-- Of bindings from before this table: each definition lasted until the next one was made.
insert into former_definition (writer_id, until, definition_id)
select writer_id, until, definition_id from (
  select w.id as writer_id, d.id as definition_id,
    lead(d.created_at) over (partition by w.id order by d.created_at, d.id) as until
  from writer w join definition d
    on d.stream_id = w.stream_id and d.created_at >= w.created_at and d.created_at < w.valid_to
) as made where until is not null
on conflict do nothing;

-- 'Decodeer logbestanden opnieuw': the last one of each stream, or a preview of it.
create table redecoding (
  stream_id integer primary key references stream on delete cascade,
  writer_id integer not null references writer on delete cascade,
  definition_id integer not null references definition on delete cascade,  -- that counts from from_time on
  former jsonb not null,                           -- by what the files were decoded: [{definitionId, from, to}], ms
  from_time timestamptz not null,
  preview boolean not null,
  started_by text not null,
  started_at timestamptz not null default now(),   -- with the stream it names this one
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  files_done integer not null default 0,
  files integer not null default 0,
  findings text[] not null default '{}',           -- in Dutch, why a part of the files is no history
  outcome jsonb not null default '{"readings": {"added": 0, "changed": 0, "removed": 0}, "signals": {}}'
);

-- What its log files say by each of the definitions, until that took the place of what they had brought.
create table redecoded (
  stream_id integer not null,
  time timestamptz not null,
  n integer not null,                              -- in the order of delivery
  definition_id integer not null,
  signals jsonb not null,
  primary key (stream_id, time, n)
);
