-- By what the portal shows push services that it is always the same one (VAPID, RFC 8292): made at the first start.
create table push_key (
  id boolean primary key default true check (id),
  private_key bytea not null                       -- P-256, sealed
);

-- Where what is told reaches a device: a browser that somebody is signed in with, and as long as they are.
create table push_subscription (
  session_id integer primary key references session (id) on delete cascade,
  endpoint text not null unique,                   -- the browser's own push service
  p256dh text not null,                            -- what only that browser can read is encrypted with these (base64url)
  auth text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,                             -- when the service took something last
  failed_at timestamptz,                           -- when it did not
  wait_until timestamptz                           -- it wants nothing before (Retry-After)
);

-- What a device has: tried again because of another one, it comes once.
create table push_taken (
  session_id integer not null references push_subscription on delete cascade,
  notice_id text not null,
  taken_at timestamptz not null default now(),
  primary key (session_id, notice_id)
);
create index push_taken_at on push_taken (taken_at);
