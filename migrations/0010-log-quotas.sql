-- What log files take, for their quotas (docs/decisions/0021): of each key today, of each logger as long as they are kept.

alter table writer_key
  add column log_day date,                         -- in Europe/Amsterdam
  add column log_bytes bigint not null default 0;  -- of the log files that were stored with the key on log_day
alter table organization
  add column log_quota_told_on date;               -- when administrators were last told that a quota is nearly used

-- Kept by src/server/telemetry/sql/count-stored-logs.sql; nothing is stored between the first count and that trigger.
lock table object in share row exclusive mode;
create table stored_log (
  logger_serial text primary key,
  bytes bigint not null                            -- that its log files in object count for
) with (fillfactor = 50);
insert into stored_log
select logger_serial, sum(greatest(size, 4096)) from object where log_stored_at is not null group by logger_serial;
