-- Words that an organization gives its machines (docs/decisions/0038).
create table label (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  colour text not null                             -- of src/shared/domain/labels.ts
);
create unique index label_name on label (organization_id, lower(name));

create table machine_label (
  label_id integer not null references label on delete cascade,
  stream_id integer not null references stream on delete cascade,
  primary key (label_id, stream_id)
);
create index machine_label_stream on machine_label (stream_id);

-- Machines that somebody wants at hand.
create table favourite (
  account_id integer not null references account on delete cascade,
  stream_id integer not null references stream on delete cascade,
  primary key (account_id, stream_id)
);
create index favourite_stream on favourite (stream_id);
