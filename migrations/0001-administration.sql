-- Organizations, the people in them, their sessions, and what administrators changed.

create table organization (
  id integer generated always as identity primary key,
  name text not null unique,                       -- functional name, a lowercase slug; 'admin' administers
  clean text not null,                             -- display name
  code text not null unique,                       -- what people register with
  is_active boolean not null default true,
  is_berende boolean not null default false,       -- LMB logging customer
  created_at timestamptz not null default now()
);

create table account (
  id integer generated always as identity primary key,
  email text not null,                             -- as typed; compared in lower case
  password_hash text not null,                     -- argon2id
  organization_id integer not null references organization,
  created_at timestamptz not null default now()
);
create unique index account_email on account (lower(email));

create table session (
  token_hash bytea primary key,                    -- SHA-256 of the cookie's random token
  account_id integer not null references account on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index session_account on session (account_id);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,                             -- account's email, or the program ('first start', 'demo')
  action text not null,                            -- noun.verb: 'organization.create'
  subject text not null,
  data jsonb not null default '{}'
);

-- Counts tries per account and address; kept here so that all processes count together.
create table rate_limit (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);
