-- Readings, their 5-minute roll-up, the newest value of each signal, and events. What keeps them in step is
-- ingest_readings(), src/server/telemetry/sql/.
-- The stream id is first in every key, and nothing is unique without it: ready to be distributed by stream.

create table reading (
  stream_id integer not null,
  time timestamptz not null,                       -- whole milliseconds
  latitude double precision,
  longitude double precision,
  motor_speed double precision,                    -- rpm
  charging_current double precision,               -- A
  charging_voltage double precision,               -- V
  battery_current double precision,                -- A, positive while discharging
  battery_voltage double precision,                -- V
  speed double precision,                          -- km/h
  machinestatus double precision,
  spoor double precision,
  spoorstand double precision,
  is_charging double precision,                    -- the largest IsCharging* flag
  soc1 double precision,                           -- %, by battery number
  soc2 double precision,
  soc3 double precision,
  soc4 double precision,
  rest jsonb,                                      -- every other signal under the logger's own name
  primary key (stream_id, time)
) partition by range (time);
create table reading_default partition of reading default;

create table rollup (
  stream_id integer not null,
  bucket timestamptz not null,                     -- start of the 5 minutes
  count integer not null,                          -- readings
  running_ms bigint not null,
  out_j bigint not null,                           -- energy out of the battery, joule
  in_j bigint not null,                            -- fed back while not charging, joule
  charged_j bigint not null,                       -- charged, joule
  distance_mm bigint not null,
  soc_min double precision,
  soc_max double precision,
  soc_sum_milli bigint not null,                   -- sum of 1/1000 %
  soc_count integer not null,
  -- km/h: a peak shows on a month of a logger at 10 Hz too, where not every reading is read.
  speed_min double precision,
  speed_max double precision,
  primary key (stream_id, bucket)
) partition by range (bucket);
create table rollup_default partition of rollup default;

-- One row per stream, made with the stream. Its row lock orders the batches of one stream. It has of the newest reading
-- what the interval after it needs, so that storing never looks a reading up: that would open every weekly partition.
-- All of it is one row, one HOT update.
create table latest (
  stream_id integer primary key,
  time timestamptz not null default '-infinity',   -- of the newest reading
  -- Name to [value, time in ms]: the newest of each. Replaced whole as long as a logger sends the same names; json and
  -- not jsonb, which would be taken apart and sorted for that.
  signals json not null default '{}',
  signal_names uuid,                               -- digest of the names in signals; null: not known
  names_left_out bigint not null default 0,        -- how many times a name found no place in signals
  updated_at timestamptz not null default clock_timestamp(),
  tail_latitude double precision,                  -- of the reading at `time`, as in the table reading
  tail_longitude double precision,
  tail_motor_speed double precision,
  tail_charging_current double precision,
  tail_charging_voltage double precision,
  tail_battery_current double precision,
  tail_battery_voltage double precision,
  tail_is_charging double precision,
  -- Totals over all readings ever; they outlive old partitions.
  total_count bigint not null default 0,
  total_running_ms bigint not null default 0,
  total_out_j bigint not null default 0,
  total_in_j bigint not null default 0,
  total_charged_j bigint not null default 0,
  total_distance_mm bigint not null default 0
) with (fillfactor = 50);

create table event (
  stream_id integer not null,
  kind text not null,
  from_time timestamptz not null,
  to_time timestamptz,
  data jsonb not null default '{}',
  primary key (stream_id, kind, from_time)
);
