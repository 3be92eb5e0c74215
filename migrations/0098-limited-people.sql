-- A person may be limited to projects or labels, and a kijker to the present day (docs/decisions/0077-limited-people.md). Null lists: no
-- limit; an empty list is of nothing. A deleted project or label stays in the lists: ids are never given again.
alter table account
  add column limit_projects integer[],
  add column limit_labels integer[],
  add column only_today boolean not null default false,
  add constraint account_limit_lists check ((limit_projects is null) = (limit_labels is null)),
  add constraint account_limit_role check (
    (limit_projects is null or role in ('gebruiker', 'kijker')) and (not only_today or role = 'kijker'));
alter table invitation
  add column limit_projects integer[],
  add column limit_labels integer[],
  add column only_today boolean not null default false,
  add constraint invitation_limit_lists check ((limit_projects is null) = (limit_labels is null)),
  add constraint invitation_limit_role check (
    (limit_projects is null or role in ('gebruiker', 'kijker')) and (not only_today or role = 'kijker'));
