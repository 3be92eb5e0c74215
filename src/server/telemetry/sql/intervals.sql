-- What the interval between two readings adds to the roll-up, from the state of its earlier reading. The same rules in
-- TypeScript are shared/domain's: intervals.ts, machine-status.ts, battery.ts, position.ts, distance.ts.
-- Each function is one expression, which PostgreSQL puts in the place of its call.

create or replace function bucket_of(moment timestamptz) returns timestamptz language sql immutable parallel safe
  return date_bin(interval '{{BUCKET_MS}} ms', moment, timestamptz '1970-01-01 00:00:00+00');

-- From one instant to a later one, whole ms.
create or replace function ms_between(earlier timestamptz, later timestamptz) returns double precision
language sql immutable parallel safe return round(date_part('epoch', later - earlier) * 1000);

-- W.
create or replace function power_w(battery_current double precision, battery_voltage double precision)
returns double precision language sql immutable parallel safe return
  battery_current * coalesce(battery_voltage, {{DEFAULT_VOLTS}});

create or replace function is_charging_state(is_charging double precision, charging_current double precision)
returns boolean language sql immutable parallel safe return
  coalesce(is_charging >= {{CHARGING_FLAG_FROM}} and charging_current > {{CHARGING_ABOVE_AMPS}}, false);

-- Whole joules of one piece of an interval. Absent is 0.
create or replace function whole_j(watts double precision, ms double precision) returns bigint language sql immutable parallel safe return
  floor(greatest(watts, 0) * ms / 1000 + 0.5)::bigint;

create or replace function running_ms(motor_speed double precision, ms double precision) returns bigint
language sql immutable parallel safe return case when motor_speed > {{RUNNING_ABOVE_RPM}} then ms::bigint else 0 end;

create or replace function out_j(battery_current double precision, battery_voltage double precision, ms double precision)
returns bigint language sql immutable parallel safe return whole_j(power_w(battery_current, battery_voltage), ms);

create or replace function in_j(
  battery_current double precision, battery_voltage double precision, is_charging double precision,
  charging_current double precision, ms double precision
) returns bigint language sql immutable parallel safe return case
  when is_charging_state(is_charging, charging_current) then 0
  else whole_j(-power_w(battery_current, battery_voltage), ms)
end;

create or replace function charged_j(
  battery_current double precision, battery_voltage double precision, is_charging double precision,
  charging_current double precision, charging_voltage double precision, ms double precision
) returns bigint language sql immutable parallel safe return case
  when not is_charging_state(is_charging, charging_current) then 0
  when battery_current is null then whole_j(power_w(charging_current, charging_voltage), ms)
  else whole_j(-power_w(battery_current, battery_voltage), ms)
end;

-- Exactly 0 is how the wire says missing.
create or replace function is_position(lat double precision, lon double precision) returns boolean
language sql immutable parallel safe return
  coalesce(lat <> 0 and lon <> 0 and abs(lat) <= 90 and abs(lon) <= 180, false);

-- Great-circle distance in millimetres, earth radius 6371 km.
create or replace function distance_mm(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision)
returns bigint language sql immutable parallel safe return
  round(2 * 6371000000 * asin(least(1, sqrt(
    power(sin(radians(lat2 - lat1) / 2), 2)
    + cos(radians(lat1)) * cos(radians(lat2)) * power(sin(radians(lon2 - lon1) / 2), 2)
  ))))::bigint;

create or replace function step_mm(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision)
returns bigint language sql immutable parallel safe return case
  when is_position(lat1, lon1) and is_position(lat2, lon2) then distance_mm(lat1, lon1, lat2, lon2) else 0
end;

-- Plain mean over the batteries that reported, in thousandths of a percent.
create or replace function mean_soc_milli(r reading) returns bigint language sql immutable parallel safe return
  floor((coalesce(r.soc1, 0) + coalesce(r.soc2, 0) + coalesce(r.soc3, 0) + coalesce(r.soc4, 0))
  / nullif(num_nonnulls(r.soc1, r.soc2, r.soc3, r.soc4), 0) * 1000 + 0.5)::bigint;
