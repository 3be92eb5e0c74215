-- Times in which a machine's positions do not count for a project (docs/decisions/0072).
create table project_exception (
  id integer generated always as identity primary key,
  project_id integer not null references project on delete cascade,
  stream_id integer not null references stream on delete cascade,
  valid_from timestamptz not null,
  valid_to timestamptz not null default 'infinity',
  check (valid_from < valid_to)
);
create index project_exception_stream on project_exception (stream_id, valid_from);
create index project_exception_project on project_exception (project_id);
