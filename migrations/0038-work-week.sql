-- When an organization works (docs/decisions/0045); without a row in the usual week.
create table work_week (
  organization_id integer primary key references organization on delete cascade,
  week json not null                               -- as written: WorkWeek of src/shared/domain/alerts/work-week.ts
);
