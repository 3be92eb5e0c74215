-- What administering machines and loggers needs: definitions with a history, networks, configurations, purging.

alter table stream add column purged_at timestamptz;     -- since then its readings are being removed: no way back

-- Every definition that a stream ever had stays with it; the newest one is its writer's.
alter table definition add column stream_id integer references stream;
update definition d set stream_id = w.stream_id from writer w where w.definition_id = d.id;
create index definition_stream on definition (stream_id);

-- Loggers whose bindings were removed with a machine. What they recorded until then is nobody else's (INGEST-06).
create table former_logger (
  logger_serial text primary key,
  until timestamptz not null
);

-- How the logger of a stream reaches the portal; what is empty comes from the LOGGER_* settings.
create table logger_network (
  stream_id integer primary key references stream on delete cascade,
  kind text not null check (kind in ('mobile', 'wifi')),
  apn text not null default '',
  wifi_ssid text not null default '',
  sim_pin bytea,                                   -- encrypted with SECRETS_KEY, as is the password
  wifi_password bytea,
  updated_at timestamptz not null default now()
);

-- Every config.xml that was made; only the newest of a writer keeps its text.
create table logger_config (
  id integer generated always as identity primary key,
  writer_id integer not null references writer,
  guid text not null,                              -- lower case; Status.json tells it back
  access_key text not null,
  definition_id integer,
  xml bytea,                                       -- encrypted with SECRETS_KEY
  created_at timestamptz not null,
  downloaded_at timestamptz
);
create index logger_config_writer on logger_config (writer_id, id desc);

-- Since when the logger reports the configuration of its last Status.json.
alter table writer_health add column guid_since timestamptz;
update writer_health set guid_since = status_at where status ? 'configGuid';
create function note_guid() returns trigger language plpgsql as $$
begin
  if new.status ->> 'configGuid' is distinct from old.status ->> 'configGuid' then
    new.guid_since := case when new.status ? 'configGuid' then coalesce(new.status_at, now()) end;
  end if;
  return new;
end $$;
create trigger note_guid before update of status on writer_health for each row execute function note_guid();

-- The first upload with a new key ends the older keys of its writer; any later one changes nothing.
create function note_key_use(in_key text) returns void language plpgsql as $$
declare
  used writer_key;
begin
  select * into used from writer_key where access_key = in_key and first_used_at is null and retired_at is null;
  if not found then return; end if;
  if exists (
    select from writer_key where writer_id = used.writer_id and created_at < used.created_at and retired_at is null
  ) then
    -- In line for the counter before any key is locked, as whoever ends a binding is.
    perform 1 from change_counter where name = 'directory' for update;
    update writer_key set retired_at = now()
      where writer_id = used.writer_id and created_at < used.created_at and retired_at is null;
  end if;
  update writer_key set first_used_at = now() where access_key = in_key;
end $$;

-- That a key was used changes nothing for whoever remembers it.
drop trigger changed on writer_key;
create trigger changed after insert or delete or update of access_key, writer_id, secret, retired_at on writer_key
for each statement execute function directory_changed();
