-- First and last running and charging of a day, apart (docs/figures.md section 13). null: neither, or counted by an older version.
alter table day_figures
  add column first_running timestamptz,
  add column last_running timestamptz,
  add column first_charging timestamptz,
  add column last_charging timestamptz;

insert into changed_history (stream_id, from_time) select stream_id, '-infinity' from latest where time > '-infinity';
