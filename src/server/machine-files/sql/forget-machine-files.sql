-- Deletes the files of a deleted machine, however it was deleted; a restored machine has none.
create or replace function forget_machine_files() returns trigger language plpgsql as $$
begin
  delete from machine_file where stream_id = new.id;
  return null;
end $$;
create or replace trigger forget_machine_files after update of deleted_at on stream
for each row when (new.deleted_at is not null) execute function forget_machine_files();
