-- Notifies every process (platform/changes.ts) that the owner of a stream, its loggers or their definitions have
-- changed; logger-directory.ts and the live data cache them.
create or replace function directory_changed() returns trigger language plpgsql as $$
begin
  update change_counter set n = n + 1 where name = 'directory';
  perform pg_notify('werkstroom', 'directory');
  return null;
end $$;

create or replace trigger changed after insert or update or delete on organization for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on stream for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on machine for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on ownership for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on erased_period for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on definition for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on definition_bus for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on former_definition for each statement execute function directory_changed();
create or replace trigger changed after insert or update or delete on writer for each statement execute function directory_changed();
-- The use of a key does not change the cached data, so it sends no notification.
create or replace trigger changed after insert or delete or update of access_key, writer_id, secret, retired_at, replace_by on writer_key
for each statement execute function directory_changed();
