-- What is to be done to a machine every so often, by the organization that has it (docs/decisions/0045).
create table maintenance_plan (
  id integer generated always as identity primary key,
  stream_id integer not null references stream on delete cascade,
  organization_id integer not null references organization on delete cascade,  -- to others it is not there
  name text not null,
  every_hours double precision check (every_hours > 0),       -- running hours
  every_months integer check (every_months > 0),
  last_hours double precision not null,                       -- done last: what the hour meter said, and the day in Amsterdam
  last_day date not null,
  check (every_hours is not null or every_months is not null)
);
create index maintenance_plan_stream on maintenance_plan (stream_id);
create index maintenance_plan_organization on maintenance_plan (organization_id);

create table maintenance_done (
  id integer generated always as identity primary key,
  plan_id integer not null references maintenance_plan on delete cascade,
  hours double precision not null,
  day date not null,
  note text not null
);
create index maintenance_done_plan on maintenance_done (plan_id);
