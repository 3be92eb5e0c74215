-- Whoever comes in by their organization's provider has a password that nobody knows, until they choose one by mail: they are
-- not asked for it.
alter table account add column has_password boolean not null default true;
update account a set has_password = false from account_identity i
where i.account_id = a.id and i.linked_at = a.created_at
  and not exists (
    select from audit l where l.account_id = a.id and l.action in ('user.reset-password', 'user.change-password')
  );
