-- Accounts: codes to set a new password with, browsers that an account signed in from, tries that cost no more
-- than they must, and sessions that end with what they rested on.

-- At most one code per account; a newer one takes its place.
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

create index rate_limit_window on rate_limit (window_start);

-- Counts a try against each limit in turn, in windows of 15 minutes. The first limit that is used up refuses: for it
-- and for those after it nothing is written, so that a flood leaves no more rows than the first limit lets through.
-- What has run out is cleared away by those who come later (last, so that nobody waits while holding a row).
create function count_try(keys text[], tries integer[]) returns boolean language plpgsql as $$
begin
  for i in 1 .. cardinality(keys) loop
    insert into rate_limit as r (key, window_start, count) values (keys[i], now(), 1)
    on conflict (key) do update set
      count = case when r.window_start < now() - interval '15 minutes' then 1 else r.count + 1 end,
      window_start = case when r.window_start < now() - interval '15 minutes' then now() else r.window_start end
    where r.count < tries[i] or r.window_start < now() - interval '15 minutes';
    if not found then
      return false;
    end if;
  end loop;
  delete from rate_limit where key in (
    select key from rate_limit where window_start < now() - interval '15 minutes'
    order by window_start limit 20 for update skip locked
  );
  return true;
end $$;

-- A session ends when its organization is disabled and when its account moves to another one: it does not come back
-- when that is undone.
create function end_sessions_of_organization() returns trigger language plpgsql as $$
begin
  delete from session s using account a where a.id = s.account_id and a.organization_id = new.id;
  return null;
end $$;
create trigger end_sessions after update of is_active on organization
  for each row when (old.is_active and not new.is_active) execute function end_sessions_of_organization();

create function end_sessions_of_account() returns trigger language plpgsql as $$
begin
  delete from session where account_id = new.id;
  return null;
end $$;
create trigger end_sessions after update of organization_id, password_hash on account
  for each row when (old.organization_id <> new.organization_id or old.password_hash <> new.password_hash)
  execute function end_sessions_of_account();
