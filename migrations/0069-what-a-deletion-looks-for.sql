-- The scan at the end of a deletion looks for these streams and loggers.
alter table leaving
  add column owned_ids integer[] not null default '{}',       -- streams that the organization had when the deletion began, or before
  add column logger_serials text[] not null default '{}';     -- loggers that reported for them
update leaving set owned_ids = stream_ids;
