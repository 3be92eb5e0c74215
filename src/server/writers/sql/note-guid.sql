-- Records since when the logger runs the configuration of its last Status.json.
create or replace function note_guid() returns trigger language plpgsql as $$
begin
  if new.status ->> 'configGuid' is distinct from old.status ->> 'configGuid' then
    new.guid_since := case when new.status ? 'configGuid' then coalesce(new.status_at, now()) end;
  end if;
  return new;
end $$;
create or replace trigger note_guid before update of status on writer_health for each row execute function note_guid();
