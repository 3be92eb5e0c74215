-- What somebody sees of their own sessions, and when each was used and proved last. A session that is not used ends.
alter table session
  add column id integer generated always as identity unique, -- what it is called by; the token is nobody's to see
  add column last_used_at timestamptz not null default now(), -- to the minute
  add column proved_at timestamptz not null default now(),  -- when the password or a factor was given last
  add column address text not null default '',              -- of the last use
  add column user_agent text not null default '';
update session set proved_at = created_at;

alter table account add column name text;                   -- shown instead of the e-mail
