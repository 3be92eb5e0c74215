-- Objects that come in parts (docs/decisions/0049), until they are complete; for 24 hours at most (upkeep.ts).
create table multipart_upload (
  id text primary key,                             -- random: what its client calls it
  writer_id integer not null references writer on delete cascade,  -- of the key that began it
  key text not null,                               -- of the object, without the bucket
  content_type text not null,
  metadata jsonb not null,                         -- x-amz-meta-*
  created_at timestamptz not null default now(),
  completed_at timestamptz,                        -- the object is stored and the parts are gone; the answer can be given again
  etag text                                        -- of the whole, then
);
create index multipart_upload_writer on multipart_upload (writer_id);

create table upload_part (
  id bigint generated always as identity primary key,
  upload_id text not null references multipart_upload on delete cascade,
  number integer not null,
  size bigint not null,
  etag text not null,                              -- hex MD5 of the content
  stored_at timestamptz not null default now(),
  unique (upload_id, number)
);

create table part_chunk (
  part_id bigint not null references upload_part on delete cascade,
  n integer not null,
  data bytea not null,
  primary key (part_id, n)
);
alter table part_chunk alter column data set storage external;
