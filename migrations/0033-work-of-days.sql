-- What the mean power while running is made of (docs/figures.md section 5), by day: of a whole fleet at once the roll-up of a
-- month is too much to read. null: the day was counted before.
alter table day_figures
  add column cable_ms bigint,
  add column run_known_ms bigint,
  add column run_out_mj bigint,
  add column run_in_mj bigint;

-- Of the days that it is asked of they are counted, once.
insert into changed_history (stream_id, from_time)
  select stream_id, now() - interval '32 days' from day_cursor where time > now() - interval '32 days';
