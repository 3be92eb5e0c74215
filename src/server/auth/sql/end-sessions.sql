-- Ends sessions when their organization is disabled, and when their account moves to another organization or gets another role,
-- limit or password. They stay ended when the change is undone. Sign-ins that wait for a second factor end with the account's
-- sessions. Ended sessions of a disabled organization are recorded (sessions.ts).
create or replace function end_sessions_of_organization() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from session s using account a where a.id = s.account_id and a.organization_id = new.id
    returning s.token_hash, s.account_id, s.expires_at
  )
  insert into ended_session (token_hash, account_id, expires_at) select * from gone;
  return null;
end $$;
create or replace trigger end_sessions after update of is_active on organization
  for each row
  when (/*rule:session-organization-disabled*/ old.is_active and not new.is_active /*=false*/)
  execute function end_sessions_of_organization();

create or replace function end_sessions_of_account() returns trigger language plpgsql as $$
begin
  delete from session where account_id = new.id;
  -- A step that began with the former password could still link an identity.
  delete from sign_in_step where account_id = new.id;
  return null;
end $$;
create or replace trigger end_sessions after update of organization_id, password_hash, role, limit_projects, limit_labels, only_today on account
  for each row when (/*rule:session-account-moved*/ old.organization_id <> new.organization_id /*=false*/
    or /*rule:session-new-password*/ old.password_hash <> new.password_hash /*=false*/ or old.role <> new.role
    or /*rule:session-limit-changed*/
      (old.limit_projects, old.limit_labels, old.only_today) is distinct from (new.limit_projects, new.limit_labels, new.only_today) /*=false*/)
  execute function end_sessions_of_account();
