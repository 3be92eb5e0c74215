-- An address of an organization's own programs, which is told what happens.
create table webhook (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  url text not null,
  secret bytea not null,                           -- sealed; what its messages are signed with
  is_on boolean not null default true,
  is_gone boolean not null default false,          -- switched off since it answered 410
  made_by integer references account on delete set null,
  made_at timestamptz not null default now(),
  taken_until timestamptz not null default '-infinity'  -- while later than now, a process is sending to it
);
create index webhook_organization on webhook (organization_id);

-- What was, or is to be, sent to it: at once what is still to be done and the log of what was.
create table webhook_delivery (
  id integer generated always as identity primary key,
  webhook_id integer not null references webhook on delete cascade,
  event_id text not null,                          -- the receiver's idempotency key
  type text not null,
  body text not null,                              -- the same bytes at every try
  asked_at timestamptz not null,                   -- from then on it is tried for 24 hours
  next_try_at timestamptz,                         -- null: nothing more is done
  tries integer not null default 0,
  tried_at timestamptz,
  status integer,                                  -- of the last answer
  failure text,                                    -- why there was none: of src/shared/domain/webhooks.ts
  ms integer,                                      -- that the last try took
  unique (webhook_id, event_id)
);
create index webhook_delivery_due on webhook_delivery (webhook_id, next_try_at) where next_try_at is not null;
