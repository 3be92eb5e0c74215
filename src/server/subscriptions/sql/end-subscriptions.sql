-- Deletes the subscriptions of a deleted machine; a restored machine has none.
create or replace function end_subscriptions() returns trigger language plpgsql as $$
begin
  delete from alert_rule where kind = 'charging' and ids[1] = new.id;
  return null;
end $$;
create or replace trigger end_subscriptions after update of deleted_at on stream
for each row when (new.deleted_at is not null) execute function end_subscriptions();

-- Deletes the subscriptions of the former owner's people when a machine is sold: the unsubscribe links in their mails then change nothing.
create or replace function end_former_subscriptions() returns trigger language plpgsql as $$
begin
  /*rule:subscriptions-end-with-sale*/ delete from alert_rule r using account a, organization o
  where r.kind = 'charging' and r.ids[1] = new.stream_id and a.id = r.account_id and o.id = a.organization_id
    and a.organization_id <> new.organization_id and o.name <> 'admin'; /*=*/
  return null;
end $$;
create or replace trigger end_former_subscriptions after insert on ownership
for each row when (new.valid_to = 'infinity') execute function end_former_subscriptions();
