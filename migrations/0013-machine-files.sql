-- The photo and the manual of a machine: in the database, so that its backup has them and every process serves them.

create table machine_file (
  stream_id integer not null references stream on delete cascade,
  kind text not null check (kind in ('photo', 'manual')),
  name text not null,                              -- a safe file name, as a browser is told to save it
  content_type text not null,
  size integer not null,                           -- bytes of body
  hash text not null,                              -- SHA-256 of body, hexadecimal: part of its address
  body bytea not null,
  created_at timestamptz not null default now(),
  primary key (stream_id, kind)
);
-- WebP and PDF are compressed already: stored as they are, they are read without unpacking.
alter table machine_file alter column body set storage external;

-- A deleted machine has none, however it was deleted; a restored one gets new ones.
create function forget_machine_files() returns trigger language plpgsql as $$
begin
  delete from machine_file where stream_id = new.id;
  return null;
end $$;
create trigger forget_machine_files after update of deleted_at on stream
for each row when (new.deleted_at is not null) execute function forget_machine_files();
