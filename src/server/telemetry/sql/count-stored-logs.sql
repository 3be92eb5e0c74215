-- Maintains the size of each logger's log files in object at each insert and delete, because adding up the files of a
-- month every minute would read millions of rows. A file counts for at least 4 KiB (MIN_QUOTA_FILE_BYTES of
-- writers/log-quotas.ts).
create or replace function count_stored_log() returns trigger language plpgsql as $$
begin
  insert into stored_log as s (logger_serial, bytes) values (new.logger_serial, greatest(new.size, 4096))
  on conflict (logger_serial) do update set bytes = s.bytes + excluded.bytes;
  return null;
end $$;

create or replace function forget_stored_logs() returns trigger language plpgsql as $$
begin
  update stored_log s set bytes = s.bytes - gone.bytes
  from (
    select logger_serial, sum(greatest(size, 4096)) as bytes from old_rows where log_stored_at is not null group by logger_serial
  ) as gone
  where s.logger_serial = gone.logger_serial;
  return null;
end $$;

-- Log files are inserted one by one among many documents, so this trigger runs per row. They are deleted by thousands, so the other
-- trigger runs per statement.
create or replace trigger log_stored after insert on object
for each row when (new.log_stored_at is not null) execute function count_stored_log();
create or replace trigger logs_removed after delete on object referencing old table as old_rows
for each statement execute function forget_stored_logs();
