-- Subscriptions die with their machine; one that is restored starts without.
create or replace function end_subscriptions() returns trigger language plpgsql as $$
begin
  delete from alert_rule where kind = 'charging' and ids[1] = new.id;
  return null;
end $$;
create or replace trigger end_subscriptions after update of deleted_at on stream
for each row when (new.deleted_at is not null) execute function end_subscriptions();
