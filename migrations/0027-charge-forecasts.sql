-- How charging sessions went up, and what was forecast of them (docs/figures.md section 13; docs/decisions/0035).

alter table charging_session
  add column first_percent smallint,               -- the first whole percent that was reached
  add column reached_ms integer[] not null default '{}';  -- when that one and each next, since from_time

-- What was told of a charge that went on: full between from_time and to_time. Never changed afterwards.
create table charge_forecast (
  stream_id integer not null,
  at timestamptz not null,
  percent double precision not null,               -- mean of the packs then
  from_time timestamptz not null,
  to_time timestamptz not null,
  primary key (stream_id, at)
);

-- The sessions that are there are found again, with their new columns.
insert into changed_history (stream_id, from_time) select stream_id, '-infinity' from latest where time > '-infinity';
