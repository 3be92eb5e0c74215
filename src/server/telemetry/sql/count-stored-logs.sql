-- Bytes of each logger's log files that are kept: told by every row of object that comes or goes, since adding up the
-- files of a month each minute would read millions of rows.
create or replace function count_stored_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stored_log as s (logger_serial, bytes) values (new.logger_serial, new.size)
    on conflict (logger_serial) do update set bytes = s.bytes + excluded.bytes;
  else
    update stored_log set bytes = bytes - old.size where logger_serial = old.logger_serial;
  end if;
  return null;
end $$;

create or replace trigger log_stored after insert on object
for each row when (new.log_stored_at is not null) execute function count_stored_log();
create or replace trigger log_removed after delete on object
for each row when (old.log_stored_at is not null) execute function count_stored_log();
