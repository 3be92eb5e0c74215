-- The figures of docs/figures.md: leading signals, eight packs, millijoules. What is stored is computed anew once from
-- the raw readings (src/server/telemetry/recompute.ts); where there are none any more, a null is unknown.

alter table reading
  add column soc5 double precision,
  add column soc6 double precision,
  add column soc7 double precision,
  add column soc8 double precision;

alter table rollup
  drop column soc_min,
  drop column soc_max,
  drop column soc_sum_milli,
  drop column soc_count,
  alter column out_j type bigint using out_j * 1000,
  alter column in_j type bigint using in_j * 1000,
  alter column charged_j type bigint using charged_j * 1000,
  add column charging_ms bigint,
  add column cable_ms bigint,                      -- running on the cable
  add column heard_ms bigint,
  add column known_ms bigint,                      -- of which BatteryCurrent tells the energy
  add column run_known_ms bigint,                  -- of it running, off the cable
  add column run_out_mj bigint,
  add column run_in_mj bigint;
alter table rollup rename column out_j to out_mj;
alter table rollup rename column in_j to in_mj;
alter table rollup rename column charged_j to charged_mj;
-- Per pack 4 elements: lowest, highest, thousandths of a percent added, values.
alter table rollup add column packs double precision[];

alter table latest
  drop column signal_names,
  drop column tail_latitude,
  drop column tail_longitude,
  drop column tail_motor_speed,
  drop column tail_charging_current,
  drop column tail_charging_voltage,
  drop column tail_battery_current,
  drop column tail_battery_voltage,
  drop column tail_is_charging,
  drop column total_out_j,
  drop column total_in_j,
  drop column total_charged_j,
  drop column total_distance_mm,
  -- What of the readings so far counts for those to come (src/shared/domain/figures.ts).
  add column track json not null default '{}',
  -- The highest of min(a reading's time, when it was received): what live data go by.
  add column heard_at timestamptz not null default '-infinity',
  -- From here on the roll-up has to be computed anew; null: not any more.
  add column recompute_from timestamptz;
update latest set heard_at = time, recompute_from = '-infinity' where time > '-infinity';
