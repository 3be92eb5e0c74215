-- A label, a project or a machine may have a work week before that of its organization (docs/decisions/0070).
create table own_work_week (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  label_id integer unique references label on delete cascade,
  project_id integer unique references project on delete cascade,
  stream_id integer unique references stream on delete cascade,
  week json not null,                              -- as written: WorkWeek of src/shared/domain/alerts/work-week.ts
  check (num_nonnulls(label_id, project_id, stream_id) = 1)
);
create index own_work_week_organization on own_work_week (organization_id);
