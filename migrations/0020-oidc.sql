-- Signing in by an organization's own identity provider (docs/decisions/0033).

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
  -- An account that is to be linked: of who is signed in (the attempt ends with the session), or whose password was right.
  account_id integer references account on delete cascade,
  session_hash bytea references session on delete cascade on update cascade,
  password_hash text,
  constraint oidc_attempt_link check ((account_id is not null) = (num_nonnulls(session_hash, password_hash) = 1))
);
create index oidc_attempt_organization on oidc_attempt (organization_id);
create index oidc_attempt_account on oidc_attempt (account_id);
create index oidc_attempt_session on oidc_attempt (session_hash);
create index oidc_attempt_end on oidc_attempt (expires_at);
