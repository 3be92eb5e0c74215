-- Deletes the linked identity of an account that moves to another organization, because the identity belongs to the former organization's
-- provider.
create or replace function forget_identity() returns trigger language plpgsql as $$
begin
  delete from account_identity where account_id = new.id;
  return null;
end $$;
create or replace trigger forget_identity after update of organization_id on account
  for each row when (old.organization_id <> new.organization_id) execute function forget_identity();
