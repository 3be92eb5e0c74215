-- Signing in by an organization's own identity provider.

create table oidc_provider (
  organization_id integer primary key references organization on delete cascade,
  issuer text not null,                            -- as its own metadata and tokens write it
  domain text not null unique,                     -- of its people's addresses; lower case, as in DNS
  client_id text not null,
  client_secret bytea not null,                    -- sealed (platform/secrets.ts)
  is_only boolean not null default false           -- nobody of the organization signs in otherwise
);

-- Who an account is to its organization's provider: never known by an address alone.
create table account_identity (
  account_id integer primary key references account on delete cascade,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null default now(),
  unique (issuer, subject)
);

-- From here to the provider and back: known by a cookie, and good for once.
create table oidc_attempt (
  token_hash bytea primary key,                    -- SHA-256 of the cookie's random token
  organization_id integer not null references oidc_provider on delete cascade,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  -- Of who is signed in and links their account: it ends with the session.
  session_hash bytea references session on delete cascade on update cascade
);
create index oidc_attempt_organization on oidc_attempt (organization_id);
create index oidc_attempt_session on oidc_attempt (session_hash);
create index oidc_attempt_end on oidc_attempt (expires_at);

-- Who came back and has an account of before, with the address that the provider confirms: its password links them.
create table oidc_arrival (
  token_hash bytea primary key,                    -- SHA-256 of the cookie's random token
  account_id integer not null references account on delete cascade,
  issuer text not null,
  subject text not null,
  expires_at timestamptz not null
);
create index oidc_arrival_account on oidc_arrival (account_id);
create index oidc_arrival_end on oidc_arrival (expires_at);
