-- Whose an account was that a row of the log is about, when the row was written. An organization reads of people that were its
-- own then; of anybody else not even that they have an account, which an invitation to their address would otherwise say.

alter table audit add column account_organization_id integer;
comment on column audit.account_organization_id is 'of account_id then; null: nobody''s, or unknown';

update audit e set account_organization_id = case
    -- An address was invited or refused, whoever had an account by it.
    when action in ('invitation.create', 'invitation.revoke', 'user.refuse') then null
    when account_id = actor_id then actor_organization_id
    -- The link of a mail may be of somebody who had the machine before.
    when action = 'subscription.delete' then (select a.organization_id from account a where a.id = e.account_id)
    -- A row about somebody else stands in the log of the organization that had them then.
    else organization_id
  end
where account_id is not null;
