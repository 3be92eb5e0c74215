-- What an account may do in its organization (src/shared/domain/access.ts). Whoever was in `admin` did everything; of
-- each other organization the oldest account becomes its beheerder.
alter table account add column role text not null default 'gebruiker'
  constraint account_role check (role in ('administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker'));
update account set role = case
    when organization_id = (select id from organization where name = 'admin') then 'administrator'
    when id in (select min(id) from account group by organization_id) then 'beheerder'
    else 'gebruiker'
  end;

-- Only the first account that an organization ever has becomes beheerder by itself.
alter table organization add column had_account boolean not null default false;
update organization o set had_account = exists (select from account a where a.organization_id = o.id);
