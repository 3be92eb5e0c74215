-- Ingest whose cost does not grow: not with the number of weeks, of streams in a batch, or of names a logger thinks up.

-- `latest` knows of the newest reading what the interval after it needs, so that storing never looks a reading up
-- (that opened every weekly partition). Its signals become json: it is replaced whole as long as a logger sends the
-- same names, and is neither taken apart nor sorted for that. The totals and the tail are one row, one HOT update.
alter table latest alter column signals drop default;
alter table latest
  alter column signals type json using signals::json,
  alter column signals set default '{}',
  add column signal_names uuid,                    -- digest of the names in signals; null: not known
  add column names_left_out bigint not null default 0, -- how many times a name found no place in signals
  add column tail_latitude double precision,       -- of the reading at `time`, as in the table reading
  add column tail_longitude double precision,
  add column tail_motor_speed double precision,
  add column tail_charging_current double precision,
  add column tail_charging_voltage double precision,
  add column tail_battery_current double precision,
  add column tail_battery_voltage double precision,
  add column tail_is_charging double precision;

-- By key, also where the statistics of a database full of readings are old.
set local enable_seqscan = off;
set local enable_hashjoin = off;
set local enable_mergejoin = off;
update latest l set
  tail_latitude = r.latitude, tail_longitude = r.longitude, tail_motor_speed = r.motor_speed,
  tail_charging_current = r.charging_current, tail_charging_voltage = r.charging_voltage,
  tail_battery_current = r.battery_current, tail_battery_voltage = r.battery_voltage, tail_is_charging = r.is_charging
from reading r where r.stream_id = l.stream_id and r.time = l.time;
reset enable_seqscan;
reset enable_hashjoin;
reset enable_mergejoin;

-- A logger writes over its snapshot every few seconds: a HOT update, as long as there is room on the page and no index
-- (nor an index's condition) has a column that changes.
alter table object set (fillfactor = 50);

drop function ingest_readings;
drop function repair_rollup;
drop function interval_parts;
drop function newest_signals;

-- W; power.ts.
create function power_w(battery_current double precision, battery_voltage double precision)
returns double precision language sql immutable parallel safe return
  battery_current * coalesce(battery_voltage, 700);

-- The state of one reading; machine-status.ts.
create function is_charging_state(is_charging double precision, charging_current double precision)
returns boolean language sql immutable parallel safe return
  coalesce(is_charging >= 1 and charging_current > 1, false);

-- Whole joules of one piece of an interval. Absent is 0.
create function whole_j(watts double precision, ms double precision) returns bigint language sql immutable parallel safe return
  floor(greatest(watts, 0) * ms / 1000 + 0.5)::bigint;

-- From one instant to a later one, whole ms.
create function ms_between(earlier timestamptz, later timestamptz) returns double precision
language sql immutable parallel safe return round(date_part('epoch', later - earlier) * 1000);

-- What an interval adds, from the state of its earlier reading; shared/domain/intervals.ts has the same rules.
create function running_ms(motor_speed double precision, ms double precision) returns bigint
language sql immutable parallel safe return case when motor_speed > 150 then ms::bigint else 0 end;

create function out_j(battery_current double precision, battery_voltage double precision, ms double precision)
returns bigint language sql immutable parallel safe return whole_j(power_w(battery_current, battery_voltage), ms);

create function in_j(
  battery_current double precision, battery_voltage double precision, is_charging double precision,
  charging_current double precision, ms double precision
) returns bigint language sql immutable parallel safe return case
  when is_charging_state(is_charging, charging_current) then 0
  else whole_j(-power_w(battery_current, battery_voltage), ms)
end;

create function charged_j(
  battery_current double precision, battery_voltage double precision, is_charging double precision,
  charging_current double precision, charging_voltage double precision, ms double precision
) returns bigint language sql immutable parallel safe return case
  when not is_charging_state(is_charging, charging_current) then 0
  when battery_current is null then whole_j(charging_current * coalesce(charging_voltage, 700), ms)
  else whole_j(-power_w(battery_current, battery_voltage), ms)
end;

create function step_mm(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision)
returns bigint language sql immutable parallel safe return case
  when is_position(lat1, lon1) and is_position(lat2, lon2) then distance_mm(lat1, lon1, lat2, lon2) else 0
end;

-- Computes the buckets around the given instants anew from the stored readings: for rows that arrived late or
-- gained a signal. An interval is at most 5 minutes, so an instant touches its own bucket and both neighbours, and
-- what those hold depends on one more on either side. Planned for its own time range: the other weeks stay closed; and
-- with the joins that ingest_readings(), which calls it, forbids itself.
create function repair_rollup(in_stream integer[], in_time timestamptz[]) returns void
language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_nestloop = on set enable_mergejoin = on as $$
declare
  -- Half-open. Known before it is planned: adding an interval depends on the time zone, and would be left for later.
  range_from timestamptz := bucket_of((select min(t) from unnest(in_time) as t)) - interval '10 minutes';
  range_to timestamptz := bucket_of((select max(t) from unnest(in_time) as t)) + interval '15 minutes';
begin
  with touched as (
    select distinct s.stream_id, bucket_of(s.time) + o.shift as bucket
    from unnest(in_stream, in_time) as s (stream_id, time),
      (values (interval '-5 minutes'), (interval '0'), (interval '5 minutes')) as o (shift)
  ),
  read as (
    select distinct t.stream_id, t.bucket + o.shift as bucket
    from touched t, (values (interval '-5 minutes'), (interval '0'), (interval '5 minutes')) as o (shift)
  ),
  stepped as (
    select r.stream_id, r.time, bucket_of(r.time) as bucket, r.latitude, r.longitude, r.motor_speed, r.charging_current,
      r.charging_voltage, r.battery_current, r.battery_voltage, r.is_charging, mean_soc_milli(r) as soc_milli,
      lead(r.time) over w as next_time, lead(r.latitude) over w as next_latitude, lead(r.longitude) over w as next_longitude
    from read b
    join reading r on r.stream_id = b.stream_id and r.time >= b.bucket and r.time < b.bucket + interval '5 minutes'
      and r.time >= range_from and r.time < range_to
    window w as (partition by r.stream_id order by r.time)
  ),
  piece as (
    select stream_id, bucket, motor_speed, charging_current, charging_voltage, battery_current, battery_voltage, is_charging,
      case when next_time <= time + interval '5 minutes'
        then ms_between(time, least(next_time, bucket + interval '5 minutes')) else 0 end as ms,
      1 as count, soc_milli,
      case when next_time <= time + interval '5 minutes'
        then step_mm(latitude, longitude, next_latitude, next_longitude) else 0 end as distance_mm
    from stepped
    union all
    select stream_id, bucket + interval '5 minutes', motor_speed, charging_current, charging_voltage, battery_current,
      battery_voltage, is_charging, ms_between(bucket + interval '5 minutes', next_time), 0, null, 0
    from stepped where next_time <= time + interval '5 minutes' and next_time > bucket + interval '5 minutes'
  ),
  fresh as (
    select p.stream_id, p.bucket, sum(count)::integer as count, sum(running_ms(motor_speed, ms))::bigint as running_ms,
      sum(out_j(battery_current, battery_voltage, ms))::bigint as out_j,
      sum(in_j(battery_current, battery_voltage, is_charging, charging_current, ms))::bigint as in_j,
      sum(charged_j(battery_current, battery_voltage, is_charging, charging_current, charging_voltage, ms))::bigint as charged_j,
      sum(distance_mm)::bigint as distance_mm, min(soc_milli) / 1000.0 as soc_min, max(soc_milli) / 1000.0 as soc_max,
      coalesce(sum(soc_milli), 0)::bigint as soc_sum_milli, count(soc_milli)::integer as soc_count
    from piece p join touched t on t.stream_id = p.stream_id and t.bucket = p.bucket
    group by p.stream_id, p.bucket
  ),
  change as (
    select f.stream_id, sum(f.count - coalesce(o.count, 0)) as count, sum(f.running_ms - coalesce(o.running_ms, 0)) as running_ms,
      sum(f.out_j - coalesce(o.out_j, 0)) as out_j, sum(f.in_j - coalesce(o.in_j, 0)) as in_j,
      sum(f.charged_j - coalesce(o.charged_j, 0)) as charged_j, sum(f.distance_mm - coalesce(o.distance_mm, 0)) as distance_mm
    from fresh f left join rollup o on o.stream_id = f.stream_id and o.bucket = f.bucket
      and o.bucket >= range_from and o.bucket < range_to
    group by f.stream_id
  ),
  written as (
    insert into rollup select * from fresh
    on conflict (stream_id, bucket) do update set
      count = excluded.count, running_ms = excluded.running_ms, out_j = excluded.out_j, in_j = excluded.in_j,
      charged_j = excluded.charged_j, distance_mm = excluded.distance_mm, soc_min = excluded.soc_min,
      soc_max = excluded.soc_max, soc_sum_milli = excluded.soc_sum_milli, soc_count = excluded.soc_count
  )
  update latest l set
    total_count = l.total_count + c.count, total_running_ms = l.total_running_ms + c.running_ms,
    total_out_j = l.total_out_j + c.out_j, total_in_j = l.total_in_j + c.in_j,
    total_charged_j = l.total_charged_j + c.charged_j, total_distance_mm = l.total_distance_mm + c.distance_mm
  from change c where c.stream_id = l.stream_id;

  -- The newest reading itself gained a signal.
  update latest l set
    tail_latitude = r.latitude, tail_longitude = r.longitude, tail_motor_speed = r.motor_speed,
    tail_charging_current = r.charging_current, tail_charging_voltage = r.charging_voltage,
    tail_battery_current = r.battery_current, tail_battery_voltage = r.battery_voltage, tail_is_charging = r.is_charging
  from unnest(in_stream, in_time) as s (stream_id, time)
  join reading r on r.stream_id = s.stream_id and r.time = s.time and r.time >= range_from and r.time < range_to
  where l.stream_id = s.stream_id and l.time = s.time;
end $$;

-- The newest of each name of both; for one instant the value that was there stays. No more than 2,000 names: ours
-- first, then by time, so that what remains depends on the readings and not on their order. A name without a place is
-- in its reading all the same. `newer`: all that arrived is newer than all that is stored.
create function merge_signals(stored json, arrived json, newer boolean, out signals json, out names uuid, out left_out integer)
language plpgsql immutable as $$
declare
  most constant integer := 2000;
  merged jsonb;
begin
  if newer then
    merged := stored::jsonb || arrived::jsonb;
  else
    select coalesce(jsonb_object_agg(key, value), '{}') into merged from (
      select distinct on (key) key, value
      from (select *, 1 as rank from jsonb_each(stored::jsonb) union all select *, 2 from jsonb_each(arrived::jsonb)) as both_sides
      order by key, (value ->> 1)::bigint desc, rank
    ) as newest;
  end if;
  left_out := greatest((select count(*) from jsonb_object_keys(merged)) - most, 0);
  if left_out > 0 then
    select jsonb_object_agg(key, value) into merged from (
      select key, value from jsonb_each(merged)
      order by key ~ '^(LATITUDE|LONGITUDE|MotorSpeed|Charging(Current|Voltage)|Battery(Current|Voltage)|Speed|Machinestatus|Spoor|Spoorstand|IsCharging.*|[Ss][Oo][Cc].*)$' desc,
        (value ->> 1)::bigint desc, key collate "C"
      limit most
    ) as kept;
  end if;
  signals := merged;
  names := (select md5(string_agg(key, E'\n' order by key collate "C")) from jsonb_object_keys(merged) as key)::uuid;
end $$;

-- For streams whose newest signals cannot simply be replaced.
create function merge_latest(
  in_stream integer[], in_newer boolean[], latest_stream integer[], latest_signals json[]
) returns void language plpgsql set enable_seqscan = off set enable_nestloop = off as $$
begin
  update latest l set
    updated_at = clock_timestamp(),
    (signals, signal_names, names_left_out) = (
      select m.signals, m.names, l.names_left_out + m.left_out from merge_signals(l.signals, n.signals, s.newer) as m
    )
  from unnest(latest_stream, latest_signals) as n (stream_id, signals)
  join (
    select stream_id, bool_and(newer) as newer from unnest(in_stream, in_newer) as i (stream_id, newer) group by stream_id
  ) as s on s.stream_id = n.stream_id
  where l.stream_id = n.stream_id and l.stream_id = any (in_stream);
end $$;

-- Gives readings that are there already the signals that they did not have. @returns which gained one. Planned for
-- its own time range.
create function merge_readings(
  known_stream integer[], known_time timestamptz[], in_stream integer[], in_time timestamptz[],
  in_latitude double precision[], in_longitude double precision[], in_motor_speed double precision[],
  in_charging_current double precision[], in_charging_voltage double precision[],
  in_battery_current double precision[], in_battery_voltage double precision[], in_speed double precision[],
  in_machinestatus double precision[], in_spoor double precision[], in_spoorstand double precision[],
  in_is_charging double precision[], in_soc1 double precision[], in_soc2 double precision[],
  in_soc3 double precision[], in_soc4 double precision[], in_rest jsonb[],
  out merged_stream integer[], out merged_time timestamptz[]
) language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_nestloop = on set enable_mergejoin = on as $$
declare
  first_time timestamptz := (select min(t) from unnest(known_time) as t);
  last_time timestamptz := (select max(t) from unnest(known_time) as t);
begin
  with incoming as (
    select * from unnest(in_stream, in_time, in_latitude, in_longitude, in_motor_speed, in_charging_current,
      in_charging_voltage, in_battery_current, in_battery_voltage, in_speed, in_machinestatus, in_spoor,
      in_spoorstand, in_is_charging, in_soc1, in_soc2, in_soc3, in_soc4, in_rest)
      as i (stream_id, time, latitude, longitude, motor_speed, charging_current, charging_voltage, battery_current,
        battery_voltage, speed, machinestatus, spoor, spoorstand, is_charging, soc1, soc2, soc3, soc4, rest)
    where (stream_id, time) in (select * from unnest(known_stream, known_time))
  ),
  united as (
    select i.stream_id, i.time, coalesce(r.latitude, i.latitude) as latitude, coalesce(r.longitude, i.longitude) as longitude,
      coalesce(r.motor_speed, i.motor_speed) as motor_speed,
      coalesce(r.charging_current, i.charging_current) as charging_current,
      coalesce(r.charging_voltage, i.charging_voltage) as charging_voltage,
      coalesce(r.battery_current, i.battery_current) as battery_current,
      coalesce(r.battery_voltage, i.battery_voltage) as battery_voltage, coalesce(r.speed, i.speed) as speed,
      coalesce(r.machinestatus, i.machinestatus) as machinestatus, coalesce(r.spoor, i.spoor) as spoor,
      coalesce(r.spoorstand, i.spoorstand) as spoorstand, coalesce(r.is_charging, i.is_charging) as is_charging,
      coalesce(r.soc1, i.soc1) as soc1, coalesce(r.soc2, i.soc2) as soc2, coalesce(r.soc3, i.soc3) as soc3,
      coalesce(r.soc4, i.soc4) as soc4, coalesce(i.rest || r.rest, r.rest, i.rest) as rest, r as old
    from incoming i join reading r on r.stream_id = i.stream_id and r.time = i.time
      and r.time >= first_time and r.time <= last_time
  ),
  updated as (
    update reading r set latitude = u.latitude, longitude = u.longitude, motor_speed = u.motor_speed,
      charging_current = u.charging_current, charging_voltage = u.charging_voltage, battery_current = u.battery_current,
      battery_voltage = u.battery_voltage, speed = u.speed, machinestatus = u.machinestatus, spoor = u.spoor,
      spoorstand = u.spoorstand, is_charging = u.is_charging, soc1 = u.soc1, soc2 = u.soc2, soc3 = u.soc3,
      soc4 = u.soc4, rest = u.rest
    from united u
    where r.stream_id = u.stream_id and r.time = u.time and r.time >= first_time and r.time <= last_time
      and row(u.stream_id, u.time, u.latitude, u.longitude, u.motor_speed, u.charging_current, u.charging_voltage,
        u.battery_current, u.battery_voltage, u.speed, u.machinestatus, u.spoor, u.spoorstand, u.is_charging,
        u.soc1, u.soc2, u.soc3, u.soc4, u.rest)::reading is distinct from u.old
    returning r.stream_id, r.time
  )
  select array_agg(stream_id), array_agg(time) into merged_stream, merged_time from updated;
end $$;

-- Stores readings of one or more streams, all or nothing, and feeds roll-up, totals and latest from what really
-- changed: a replay changes nothing. Two deliveries for one instant merge: new signals are added, existing ones
-- stay. No instant may be given twice for one stream; every stream must have its row in latest.
-- latest_*: one element per stream of the batch: time of its newest reading, {name: [value, ms]} with the newest
-- of each signal, the digest of those names (null: more than have a place), and the oldest time among those.
-- known_*: the instants that were there already.
-- What follows a stream's newest reading, nearly everything, never reads a partition: only inserts open theirs. How
-- long the arrays are is unknown to the planner, so only joins are allowed that suit any length.
create function ingest_readings(
  in_stream integer[], in_time timestamptz[],
  in_latitude double precision[], in_longitude double precision[], in_motor_speed double precision[],
  in_charging_current double precision[], in_charging_voltage double precision[],
  in_battery_current double precision[], in_battery_voltage double precision[], in_speed double precision[],
  in_machinestatus double precision[], in_spoor double precision[], in_spoorstand double precision[],
  in_is_charging double precision[], in_soc1 double precision[], in_soc2 double precision[],
  in_soc3 double precision[], in_soc4 double precision[], in_rest jsonb[],
  latest_stream integer[], latest_time timestamptz[], latest_signals json[], latest_names uuid[], latest_oldest timestamptz[],
  out inserted integer, out merged integer, out known_stream integer[], out known_ms float8[]
) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off as $$
declare
  new_stream integer[];
  new_time timestamptz[];
  late_stream integer[];
  late_time timestamptz[];
  merge_stream integer[];
  merge_newer boolean[];
  known_time timestamptz[];
  merged_stream integer[];
  merged_time timestamptz[];
begin
  perform 1 from latest where stream_id = any (latest_stream) order by stream_id for update;

  with stored as (
    insert into reading as r
    select * from unnest(in_stream, in_time, in_latitude, in_longitude, in_motor_speed, in_charging_current,
      in_charging_voltage, in_battery_current, in_battery_voltage, in_speed, in_machinestatus, in_spoor,
      in_spoorstand, in_is_charging, in_soc1, in_soc2, in_soc3, in_soc4, in_rest)
    on conflict (stream_id, time) do nothing
    returning stream_id, time, latitude, longitude, motor_speed, charging_current, charging_voltage, battery_current,
      battery_voltage, is_charging, mean_soc_milli(r) as soc_milli
  ),
  -- In the order of time, each stream's newest reading so far (the tail) among them. What comes before it is late.
  ordered as (
    select stream_id, time, tail_latitude as latitude, tail_longitude as longitude, tail_motor_speed as motor_speed,
      tail_charging_current as charging_current, tail_charging_voltage as charging_voltage,
      tail_battery_current as battery_current, tail_battery_voltage as battery_voltage, tail_is_charging as is_charging,
      null::bigint as soc_milli, 0 as fresh
    from latest where stream_id = any (latest_stream)
    union all
    select *, 1 from stored
  ),
  stepped as (
    select *, bucket_of(time) as bucket, lead(time) over w as next_time, lead(latitude) over w as next_latitude,
      lead(longitude) over w as next_longitude, max(case when fresh = 0 then time end) over w as tail_time
    from ordered window w as (partition by stream_id order by time, fresh desc rows unbounded preceding)
  ),
  piece as (
    select stream_id, bucket, motor_speed, charging_current, charging_voltage, battery_current, battery_voltage, is_charging,
      case when next_time <= time + interval '5 minutes'
        then ms_between(time, least(next_time, bucket + interval '5 minutes')) else 0 end as ms,
      fresh as count, soc_milli,
      case when next_time <= time + interval '5 minutes'
        then step_mm(latitude, longitude, next_latitude, next_longitude) else 0 end as distance_mm
    from stepped where tail_time is not null and (fresh = 1 or next_time <= time + interval '5 minutes')
    union all
    select stream_id, bucket + interval '5 minutes', motor_speed, charging_current, charging_voltage, battery_current,
      battery_voltage, is_charging, ms_between(bucket + interval '5 minutes', next_time), 0, null, 0
    from stepped
    where tail_time is not null and next_time <= time + interval '5 minutes' and next_time > bucket + interval '5 minutes'
  ),
  added as (
    select stream_id, bucket, sum(count)::integer as count, sum(running_ms(motor_speed, ms))::bigint as running_ms,
      sum(out_j(battery_current, battery_voltage, ms))::bigint as out_j,
      sum(in_j(battery_current, battery_voltage, is_charging, charging_current, ms))::bigint as in_j,
      sum(charged_j(battery_current, battery_voltage, is_charging, charging_current, charging_voltage, ms))::bigint as charged_j,
      sum(distance_mm)::bigint as distance_mm, min(soc_milli) / 1000.0 as soc_min, max(soc_milli) / 1000.0 as soc_max,
      coalesce(sum(soc_milli), 0)::bigint as soc_sum_milli, count(soc_milli)::integer as soc_count
    from piece group by stream_id, bucket
  ),
  rolled as (
    insert into rollup as r select * from added
    on conflict (stream_id, bucket) do update set
      count = r.count + excluded.count, running_ms = r.running_ms + excluded.running_ms, out_j = r.out_j + excluded.out_j,
      in_j = r.in_j + excluded.in_j, charged_j = r.charged_j + excluded.charged_j,
      distance_mm = r.distance_mm + excluded.distance_mm, soc_min = least(r.soc_min, excluded.soc_min),
      soc_max = greatest(r.soc_max, excluded.soc_max), soc_sum_milli = r.soc_sum_milli + excluded.soc_sum_milli,
      soc_count = r.soc_count + excluded.soc_count
  ),
  total as (
    select stream_id, sum(count) as count, sum(running_ms) as running_ms, sum(out_j) as out_j, sum(in_j) as in_j,
      sum(charged_j) as charged_j, sum(distance_mm) as distance_mm
    from added group by stream_id
  ),
  moved as (
    update latest l set
      time = n.time, updated_at = clock_timestamp(),
      signals = case when n.names is not null and (s.tail_time = '-infinity' or n.names = l.signal_names and n.oldest > s.tail_time)
        then n.signals else l.signals end,
      signal_names = case when (s.tail_time = '-infinity' or n.names = l.signal_names and n.oldest > s.tail_time) then n.names end,
      tail_latitude = s.latitude, tail_longitude = s.longitude, tail_motor_speed = s.motor_speed,
      tail_charging_current = s.charging_current, tail_charging_voltage = s.charging_voltage,
      tail_battery_current = s.battery_current, tail_battery_voltage = s.battery_voltage, tail_is_charging = s.is_charging,
      total_count = l.total_count + t.count, total_running_ms = l.total_running_ms + t.running_ms,
      total_out_j = l.total_out_j + t.out_j, total_in_j = l.total_in_j + t.in_j,
      total_charged_j = l.total_charged_j + t.charged_j, total_distance_mm = l.total_distance_mm + t.distance_mm
    from unnest(latest_stream, latest_time, latest_signals, latest_names, latest_oldest) as n (stream_id, time, signals, names, oldest)
    join stepped s on s.stream_id = n.stream_id and s.fresh = 1 and s.tail_time is not null and s.next_time is null
    join total t on t.stream_id = n.stream_id
    where l.stream_id = n.stream_id and l.stream_id = any (latest_stream)
    returning l.stream_id, l.signal_names is null as to_merge, n.oldest > s.tail_time as newer
  )
  select (select count(*) from stored), (select array_agg(stream_id) from stored), (select array_agg(time) from stored),
    (select array_agg(stream_id) from stepped where tail_time is null), (select array_agg(time) from stepped where tail_time is null),
    (select array_agg(stream_id) from moved where to_merge), (select array_agg(newer) from moved where to_merge)
  into inserted, new_stream, new_time, late_stream, late_time, merge_stream, merge_newer;

  merged := 0;
  if inserted < cardinality(in_stream) then
    select array_agg(stream_id), array_agg(time), array_agg(extract(epoch from time) * 1000)
    into known_stream, known_time, known_ms from (
      select * from unnest(in_stream, in_time) as i (stream_id, time)
      except select * from unnest(new_stream, new_time)
    ) as known;
    select * into merged_stream, merged_time from merge_readings(known_stream, known_time, in_stream, in_time, in_latitude,
      in_longitude, in_motor_speed, in_charging_current, in_charging_voltage, in_battery_current, in_battery_voltage,
      in_speed, in_machinestatus, in_spoor, in_spoorstand, in_is_charging, in_soc1, in_soc2, in_soc3, in_soc4, in_rest);
    merged := coalesce(cardinality(merged_stream), 0);
  end if;

  if late_stream is not null or merged > 0 then
    late_stream := late_stream || merged_stream;
    late_time := late_time || merged_time;
    perform repair_rollup(late_stream, late_time);
    merge_stream := merge_stream || late_stream;
    merge_newer := merge_newer || array_fill(false, array[cardinality(late_stream)]);
  end if;
  if merge_stream is not null then
    perform merge_latest(merge_stream, merge_newer, latest_stream, latest_signals);
  end if;
end $$;
