-- Organizations, the people in them, how they sign in, and what administrators changed. Functions and triggers are not
-- here but beside the code that calls them (src/server/**/sql/).

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

-- At most one code per account to set a new password with; a newer one takes its place.
create table password_reset (
  account_id integer primary key references account on delete cascade,
  code_hash text not null,                         -- argon2id
  expires_at timestamptz not null,
  tries_left smallint not null
);

-- A browser that has signed in to an account keeps a random token: its tries are counted apart from a stranger's.
create table known_device (
  account_id integer not null references account on delete cascade,
  token_hash bytea not null,                       -- SHA-256
  last_used_at timestamptz not null default now(),
  primary key (account_id, token_hash)
);

-- Counts tries per account and address; kept here so that all processes count together.
create table rate_limit (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);
create index rate_limit_window on rate_limit (window_start);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,                             -- account's email, or the program ('first start', 'demo')
  action text not null,                            -- noun.verb: 'organization.create'
  subject text not null,
  data jsonb not null default '{}'
);
