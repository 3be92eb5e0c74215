-- Mails about charging (MAIL-01): who wants them, and how far each stream's readings have been looked at for events.

create table subscription (
  stream_id integer not null references stream on delete cascade,
  account_id integer not null references account on delete cascade,
  created_at timestamptz not null default now(),
  primary key (stream_id, account_id)
);
create index subscription_account on subscription (account_id);

-- One row per stream that somebody subscribed to. What it says and the events and mails that follow from it change in
-- one transaction, so that an event is told once, whatever restarts and however many processes look.
create table charging_cursor (
  stream_id integer primary key references stream on delete cascade,
  begin_time timestamptz not null,                 -- newest reading at the first subscription: nothing known before is told
  time timestamptz not null,                       -- of the last reading that counts in `state`
  state jsonb,                                     -- shared/domain/charging-events.ts; null: not looked yet
  charging boolean not null default false,         -- as in `state`
  awake boolean not null default true,             -- `state` waits for something: look every time
  count bigint not null,                           -- of the stream's readings, those that have been looked at
  unsettled integer not null default 0,            -- of the stream's readings, those still too young to be looked at
  seen_at timestamptz not null,                    -- latest.updated_at of that look
  late boolean not null default false,             -- readings came for before `time`: look again at the past hours
  looked_at timestamptz not null default '-infinity',
  reread_at timestamptz not null default '-infinity'
) with (fillfactor = 50);
