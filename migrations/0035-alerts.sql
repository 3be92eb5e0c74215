-- Rules of what somebody is to be told, what they found, and who is told (docs/alerts.md).
create table alert_rule (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  account_id integer references account on delete cascade,  -- whose own it is, and who alone is told; null: the organization's
  name text not null,
  kind text not null,                              -- of src/shared/domain/alerts/kinds.ts
  settings jsonb not null,                         -- its numbers
  hours text not null check (hours in ('always', 'work')),
  machines text not null check (machines in ('all', 'labels', 'projects', 'chosen')),
  ids integer[] not null default '{}',             -- of labels, projects or streams
  severity text not null check (severity in ('notice', 'urgent')),
  accounts integer[] not null default '{}',        -- who is told, and
  roles text[] not null default '{}',              -- everybody who is one of these
  tells_end boolean not null,
  is_on boolean not null,
  version integer not null default 1,              -- another one when it asks something else
  valid_from timestamptz not null                  -- of this version: what was before is not its own
);
create index alert_rule_organization on alert_rule (organization_id);

create table alert (
  id bigint generated always as identity primary key,
  rule_id integer not null references alert_rule on delete cascade,
  version integer not null,                        -- of the rule
  organization_id integer not null references organization on delete cascade,
  stream_id integer references stream on delete cascade,  -- null: of many at once
  kind text not null,
  severity text not null,
  words text not null,                             -- what was seen, with its figures
  since timestamptz not null,                      -- when what it is about began
  at timestamptz not null,                         -- when that had held long enough
  until timestamptz,                               -- when it was over; null: open
  withdrawn_at timestamptz,                        -- late readings say that it never was
  is_news boolean not null,                        -- told; what was long ago is not
  made_at timestamptz not null,
  taken_by integer references account on delete set null,
  taken_at timestamptz
);
create unique index alert_open on alert (rule_id, coalesce(stream_id, 0)) where until is null and withdrawn_at is null;
create index alert_organization on alert (organization_id, id);
create index alert_stream on alert (stream_id, since);

create table alert_seen (
  alert_id bigint not null references alert on delete cascade,
  account_id integer not null references account on delete cascade,
  primary key (alert_id, account_id)
);
create index alert_seen_account on alert_seen (account_id);

-- What somebody wants to hear nothing of for a while.
create table alert_mute (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  rule_id integer references alert_rule on delete cascade,
  stream_id integer references stream on delete cascade,
  until timestamptz not null,
  check (num_nonnulls(rule_id, stream_id) = 1)
);
create unique index alert_mute_one on alert_mute (account_id, coalesce(rule_id, 0), coalesce(stream_id, 0));

-- How somebody is told; without a row as in src/shared/domain/alerts/quiet-hours.ts.
create table alert_preference (
  account_id integer primary key references account on delete cascade,
  by_mail boolean not null,
  by_push boolean not null,
  quiet_from text,                                 -- 'HH:mm' in Amsterdam
  quiet_to text
);

-- What is told to one person at a time by one channel: one alert, or several as a list.
create table alert_message (
  id uuid primary key default gen_random_uuid(),   -- the mail's Message-ID, the notification's id
  account_id integer not null references account on delete cascade,
  channel text not null check (channel in ('mail', 'push')),
  made_at timestamptz not null,
  sent_at timestamptz
);
create index alert_message_account on alert_message (account_id, channel, made_at);

create table alert_outbox (
  alert_id bigint not null references alert on delete cascade,
  account_id integer not null references account on delete cascade,
  channel text not null,
  step text not null check (step in ('opened', 'closed', 'withdrawn')),
  due_at timestamptz not null,
  message_id uuid references alert_message on delete cascade,  -- null: still to be told
  primary key (alert_id, account_id, channel, step)
);
create index alert_outbox_due on alert_outbox (due_at) where message_id is null;
create index alert_outbox_message on alert_outbox (message_id);

-- How far the readings of a stream were looked at. A state is what counts of the readings before for those to come.
create table alert_cursor (
  stream_id integer primary key,
  begin_time timestamptz not null,                 -- what was before is nobody's alert
  time timestamptz not null,                       -- of the last reading that was looked at
  state jsonb,                                     -- then
  older jsonb,                                     -- some hours before, and
  oldest jsonb,                                    -- at least a day before: what comes late is looked at from there
  count bigint not null,                           -- of readings stored up to then
  unsettled integer not null default 0,            -- readings that others may still come before
  late boolean not null default false,
  reread_at timestamptz not null default '-infinity',
  seen_at timestamptz,                             -- latest.updated_at of then
  looked_at timestamptz not null default '-infinity'
);

-- When silence was looked for, and since when that was done without an interruption.
create table alert_clock (
  id boolean primary key default true check (id),
  looked_at timestamptz not null,
  since timestamptz not null
);
