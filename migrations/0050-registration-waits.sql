-- An account that is registered with an organization's code is served nothing but its own account until its address is confirmed.
-- Older accounts keep their access: the portal marks only new ones.
alter table account add column must_confirm boolean not null default false;
comment on column account.must_confirm is 'registered by code: until confirmed_at is set only the calls of their own account answer';

-- A new organization admits who registers; the mode of organizations that exist stays as it is.
alter table organization alter column registration set default 'approval';
