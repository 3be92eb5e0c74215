-- Notifies every process (platform/changes.ts) that cached sessions are outdated. A new session needs no notification, because it
-- is not cached yet. An update of the last use sends none, because such updates are frequent.
create or replace function session_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('werkstroom', 'session');
  return null;
end $$;

create or replace trigger session_changed after update of token_hash, account_id, expires_at, proved_at or delete on session
  for each statement execute function session_changed();
create or replace trigger session_changed after update or delete on account for each statement execute function session_changed();
create or replace trigger session_changed after update or delete on organization for each statement execute function session_changed();
-- A second factor decides which calls are served.
create or replace trigger session_changed after insert or update of disabled_at or delete on factor
  for each statement execute function session_changed();
