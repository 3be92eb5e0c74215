-- Contacts: whom to call about an organization, a project or a machine (docs/alerts.md). One row per person, used wherever that person is the contact.
create table contact (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  telephone text not null,                         -- as typed; src/shared/domain/telephone.ts says what is one
  note text not null,
  seen_from text not null check (seen_from in ('kijker', 'gebruiker', 'beheerder')),  -- the lowest role that sees it
  unique (id, organization_id)
);
create index contact_organization on contact (organization_id);
create table contact_use (
  organization_id integer not null,
  contact_id integer not null,
  project_id integer unique references project on delete cascade,
  stream_id integer unique references stream on delete cascade,
  foreign key (contact_id, organization_id) references contact (id, organization_id) on delete cascade,
  check (num_nonnulls(project_id, stream_id) <= 1)
);
create unique index contact_use_of_organization on contact_use (organization_id) where project_id is null and stream_id is null;
create index contact_use_organization on contact_use (organization_id);
create index contact_use_contact on contact_use (contact_id);
