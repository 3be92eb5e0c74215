-- The first upload with a new key ends the older keys of its writer; later uploads change nothing.
create or replace function note_key_use(in_key text) returns void language plpgsql as $$
declare
  used writer_key;
begin
  select * into used from writer_key where access_key = in_key and first_used_at is null and retired_at is null;
  if not found then return; end if;
  if exists (
    select from writer_key where writer_id = used.writer_id and created_at < used.created_at and retired_at is null
  ) then
    -- Locks the counter before any key, which is the order in a transaction that ends a binding.
    perform 1 from change_counter where name = 'directory' for update;
    update writer_key set retired_at = now()
      where /*rule:key-replaces-older*/ writer_id = used.writer_id /*=false*/ and created_at < used.created_at and retired_at is null;
  end if;
  update writer_key set first_used_at = now() where access_key = in_key;
end $$;
