-- How people come into an organization: with its code, with its code and somebody's word, or by an invitation.

alter table organization
  add column registration text not null default 'code'
    constraint organization_registration check (registration in ('code', 'approval', 'invitation')),
  add column applicants_told_at timestamptz,       -- when its people last got a mail that somebody waits
  add column address_key bytea;                    -- sealed; under it addresses of who was deleted are hashed

-- Since when an address is known to be its account's: mail about machines goes there from then on.
alter table account add column confirmed_at timestamptz;
update account set confirmed_at = now();

create table invitation (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  email text,                                      -- as typed; null once it has ended
  role text not null,
  invited_by integer references account on delete set null,
  expires_at timestamptz not null,
  token_hashes bytea[] not null default '{}',      -- SHA-256; one for each time that the mail was tried
  ended_as text constraint invitation_ended_as check (ended_as in ('accepted', 'revoked')),
  constraint invitation_email check ((email is null) = (ended_as is not null)),
  created_at timestamptz not null default now()
);
create unique index invitation_email on invitation (organization_id, lower(email));
create index invitation_invited_by on invitation (invited_by);

-- Who registered with the code of an organization that lets nobody in without a word: no account yet.
create table applicant (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  email text not null,                             -- as typed; compared in lower case
  password_hash text not null,                     -- argon2id
  asked_at timestamptz not null default now()
);
create unique index applicant_email on applicant (lower(email), organization_id);
create index applicant_organization on applicant (organization_id);

-- Who was deleted, or refused, and does not come back with the code. Not the address: a hash of it under the organization's key.
create table departed (
  organization_id integer not null references organization on delete cascade,
  address_hash bytea not null,
  primary key (organization_id, address_hash)
);
