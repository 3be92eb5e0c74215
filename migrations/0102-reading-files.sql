-- Readings of weeks that are over, as Parquet files (docs/decisions/0080-parquet-files.md). A file has readings of one stream and
-- one week (Monday, UTC); the times of files do not overlap. A row of `reading` at the time of a reading in a file replaces it.
create table telemetry.reading_file (
  stream_id integer not null,
  from_time timestamptz not null,                  -- of the first reading
  to_time timestamptz not null,                    -- of the last
  readings integer not null,
  -- By column: its first byte, its length, 1 if a reading has no value, and its CRC-32.
  chunks jsonb not null,
  content bytea not null,
  is_merged boolean not null,                      -- false: an upload of a closed week, which upkeep merges with its neighbours
  primary key (stream_id, from_time)
);
create index reading_file_unmerged on telemetry.reading_file (stream_id, from_time) where not is_merged;
-- Not compressed again, so that a column is read without the others.
alter table telemetry.reading_file alter column content set storage external;
