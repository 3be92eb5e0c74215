-- Whose an account was that a row of the log is about, when the row was written. An organization reads of people that were its
-- own then; of anybody else not even that they have an account, which an invitation to their address would otherwise say.

alter table audit add column account_organization_id integer;
comment on column audit.account_organization_id is 'of account_id then; null: nobody''s, or unknown';

update audit e set account_organization_id = case
    -- The organization invited or refused an address, not the account.
    when action in ('invitation.create', 'invitation.revoke', 'user.refuse') then null
    when account_id = actor_id then actor_organization_id
    -- The link in a mail may belong to a former owner's subscriber.
    when action = 'subscription.delete' then (select a.organization_id from account a where a.id = e.account_id)
    -- The row is in the log of the organization that the account belonged to when it was written.
    else organization_id
  end
where account_id is not null;

-- New rows get ids that say neither how many rows there are nor which came first (platform/sql/unordered-ids.sql), under a key of this
-- database. What was in the order of ids has an order of its own.
create table id_key (key bytea not null);
insert into id_key select sha256(string_agg(uuid_send(gen_random_uuid()), '')) from generate_series(1, 4);
create index alert_made on alert (organization_id, made_at, id);
drop index alert_organization;
alter table webhook_delivery add column made_nth bigint generated always as identity;
comment on column webhook_delivery.made_nth is 'messages of one instant are sent in this order';
