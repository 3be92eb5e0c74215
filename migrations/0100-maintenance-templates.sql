-- Maintenance tasks of a brand and model, which an organization gives its machines of that model.
create table maintenance_template (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  brand text not null,
  model text not null
);
create unique index maintenance_template_model on maintenance_template (organization_id, lower(brand), lower(model));

create table maintenance_template_task (
  id integer generated always as identity primary key,
  place integer generated always as identity,                 -- in the order of entry; ids have none
  template_id integer not null references maintenance_template on delete cascade,
  name text not null,
  every_hours double precision check (every_hours > 0),       -- running hours
  every_months integer check (every_months > 0),
  check (every_hours is not null or every_months is not null)
);
create unique index maintenance_template_task_name on maintenance_template_task (template_id, lower(name));

-- A plan that was made from a template's task follows the task's name and interval until they are changed on the machine.
alter table maintenance_plan
  add column template_task_id integer references maintenance_template_task on delete set null,
  add column follows_template boolean not null default false;
create index maintenance_plan_template_task on maintenance_plan (template_task_id);
