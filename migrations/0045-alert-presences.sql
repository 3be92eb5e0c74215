-- Where each machine was when arrivals were looked for last: what late readings or people change of before is told to nobody.
create table alert_presence (
  stream_id integer primary key references stream on delete cascade,
  time timestamptz not null,                       -- of its newest reading that was counted
  state jsonb not null,                            -- then (src/shared/domain/presence.ts)
  projects text not null                           -- what people had entered of projects, as a hash
);
