-- Who of an organization sees where its machines were, and how long that is kept (src/shared/domain/privacy.ts).
alter table organization add column privacy jsonb not null
  default '{"routesFrom": "kijker", "viewerHours": null, "positionDays": null}';

-- Up to when a stream's positions were removed from its readings. What comes late sets it back.
create table removed_position (
  stream_id integer primary key references stream on delete cascade,
  before timestamptz not null
);
