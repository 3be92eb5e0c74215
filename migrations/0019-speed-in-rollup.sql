-- The lowest and highest speed of each bucket: a peak shows on a month of a logger at 10 Hz too, where not every reading
-- is read. Both functions are 0008's with these two columns.

alter table rollup add column speed_min double precision, add column speed_max double precision; -- km/h

update rollup r set speed_min = s.lowest, speed_max = s.highest
from (
  select stream_id, bucket_of(time) as bucket, min(speed) as lowest, max(speed) as highest
  from reading where speed is not null group by stream_id, bucket_of(time)
) as s
where r.stream_id = s.stream_id and r.bucket = s.bucket;

-- Computes the buckets around the given instants anew, as in 0008.
create or replace function repair_rollup(in_stream integer[], in_time timestamptz[]) returns void
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
      r.charging_voltage, r.battery_current, r.battery_voltage, r.is_charging, mean_soc_milli(r) as soc_milli, r.speed,
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
      1 as count, soc_milli, speed,
      case when next_time <= time + interval '5 minutes'
        then step_mm(latitude, longitude, next_latitude, next_longitude) else 0 end as distance_mm
    from stepped
    union all
    select stream_id, bucket + interval '5 minutes', motor_speed, charging_current, charging_voltage, battery_current,
      battery_voltage, is_charging, ms_between(bucket + interval '5 minutes', next_time), 0, null, null, 0
    from stepped where next_time <= time + interval '5 minutes' and next_time > bucket + interval '5 minutes'
  ),
  fresh as (
    select p.stream_id, p.bucket, sum(count)::integer as count, sum(running_ms(motor_speed, ms))::bigint as running_ms,
      sum(out_j(battery_current, battery_voltage, ms))::bigint as out_j,
      sum(in_j(battery_current, battery_voltage, is_charging, charging_current, ms))::bigint as in_j,
      sum(charged_j(battery_current, battery_voltage, is_charging, charging_current, charging_voltage, ms))::bigint as charged_j,
      sum(distance_mm)::bigint as distance_mm, min(soc_milli) / 1000.0 as soc_min, max(soc_milli) / 1000.0 as soc_max,
      coalesce(sum(soc_milli), 0)::bigint as soc_sum_milli, count(soc_milli)::integer as soc_count, min(speed) as speed_min, max(speed) as speed_max
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
      soc_max = excluded.soc_max, soc_sum_milli = excluded.soc_sum_milli, soc_count = excluded.soc_count,
      speed_min = excluded.speed_min, speed_max = excluded.speed_max
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

-- Stores readings, as in 0008.
create or replace function ingest_readings(
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
      battery_voltage, is_charging, mean_soc_milli(r) as soc_milli, speed
  ),
  -- In the order of time, each stream's newest reading so far (the tail) among them. What comes before it is late.
  ordered as (
    select stream_id, time, tail_latitude as latitude, tail_longitude as longitude, tail_motor_speed as motor_speed,
      tail_charging_current as charging_current, tail_charging_voltage as charging_voltage,
      tail_battery_current as battery_current, tail_battery_voltage as battery_voltage, tail_is_charging as is_charging,
      null::bigint as soc_milli, null::double precision as speed, 0 as fresh
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
      fresh as count, soc_milli, speed,
      case when next_time <= time + interval '5 minutes'
        then step_mm(latitude, longitude, next_latitude, next_longitude) else 0 end as distance_mm
    from stepped where tail_time is not null and (fresh = 1 or next_time <= time + interval '5 minutes')
    union all
    select stream_id, bucket + interval '5 minutes', motor_speed, charging_current, charging_voltage, battery_current,
      battery_voltage, is_charging, ms_between(bucket + interval '5 minutes', next_time), 0, null, null, 0
    from stepped
    where tail_time is not null and next_time <= time + interval '5 minutes' and next_time > bucket + interval '5 minutes'
  ),
  added as (
    select stream_id, bucket, sum(count)::integer as count, sum(running_ms(motor_speed, ms))::bigint as running_ms,
      sum(out_j(battery_current, battery_voltage, ms))::bigint as out_j,
      sum(in_j(battery_current, battery_voltage, is_charging, charging_current, ms))::bigint as in_j,
      sum(charged_j(battery_current, battery_voltage, is_charging, charging_current, charging_voltage, ms))::bigint as charged_j,
      sum(distance_mm)::bigint as distance_mm, min(soc_milli) / 1000.0 as soc_min, max(soc_milli) / 1000.0 as soc_max,
      coalesce(sum(soc_milli), 0)::bigint as soc_sum_milli, count(soc_milli)::integer as soc_count, min(speed) as speed_min, max(speed) as speed_max
    from piece group by stream_id, bucket
  ),
  rolled as (
    insert into rollup as r select * from added
    on conflict (stream_id, bucket) do update set
      count = r.count + excluded.count, running_ms = r.running_ms + excluded.running_ms, out_j = r.out_j + excluded.out_j,
      in_j = r.in_j + excluded.in_j, charged_j = r.charged_j + excluded.charged_j,
      distance_mm = r.distance_mm + excluded.distance_mm, soc_min = least(r.soc_min, excluded.soc_min),
      soc_max = greatest(r.soc_max, excluded.soc_max), soc_sum_milli = r.soc_sum_milli + excluded.soc_sum_milli,
      soc_count = r.soc_count + excluded.soc_count, speed_min = least(r.speed_min, excluded.speed_min),
      speed_max = greatest(r.speed_max, excluded.speed_max)
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
