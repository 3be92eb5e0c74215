-- Readings, their 5-minute roll-up, the newest value of each signal, and events.
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
  primary key (stream_id, bucket)
) partition by range (bucket);
create table rollup_default partition of rollup default;

-- One row per stream, made with the stream. Its row lock orders the batches of one stream.
create table latest (
  stream_id integer primary key,
  time timestamptz not null default '-infinity',   -- of the newest reading
  signals jsonb not null default '{}',             -- name to [value, time in ms]: the newest of each
  updated_at timestamptz not null default clock_timestamp(),
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

-- Makes the partitions of the week (Monday, UTC) that holds `moment`. Safe to repeat and to race.
create function ensure_week(moment timestamptz) returns void language plpgsql as $$
declare
  week_start timestamp := date_trunc('week', moment at time zone 'UTC');
  suffix text := to_char(week_start, 'IYYY"w"IW');
  parent text;
begin
  if to_regclass('reading_' || suffix) is not null and to_regclass('rollup_' || suffix) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('werkstroom partitions'));
  foreach parent in array array['reading', 'rollup'] loop
    execute format(
      'create table if not exists %I partition of %I for values from (%L) to (%L)',
      parent || '_' || suffix, parent, week_start at time zone 'UTC', (week_start + interval '7 days') at time zone 'UTC'
    );
  end loop;
end $$;

create function bucket_of(moment timestamptz) returns timestamptz language sql immutable parallel safe
  return date_bin('5 minutes', moment, timestamptz '1970-01-01 00:00:00+00');

-- Great-circle distance in millimetres, earth radius 6371 km (specification section 9); shared/domain/distance.ts.
create function distance_mm(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision)
returns bigint language sql immutable parallel safe return
  round(2 * 6371000000 * asin(least(1, sqrt(
    power(sin(radians(lat2 - lat1) / 2), 2)
    + cos(radians(lat1)) * cos(radians(lat2)) * power(sin(radians(lon2 - lon1) / 2), 2)
  ))))::bigint;

-- Exactly 0 is how the wire says missing; shared/domain/position.ts.
create function is_position(lat double precision, lon double precision) returns boolean
language sql immutable parallel safe return
  coalesce(lat <> 0 and lon <> 0 and abs(lat) <= 90 and abs(lon) <= 180, false);

-- What one interval adds to the 5-minute buckets that it touches. It carries the state of its earlier reading;
-- longer than 5 minutes (a gap) it adds nothing. Split at bucket boundaries first, rounded after, so that sums
-- are exact integers whatever the order of arrival. The same rule in TypeScript: shared/domain/intervals.ts.
create function interval_parts(earlier reading, next_time timestamptz, next_latitude double precision, next_longitude double precision)
returns table (bucket timestamptz, running_ms bigint, out_j bigint, in_j bigint, charged_j bigint, distance_mm bigint)
language sql immutable parallel safe as $$
  select
    b,
    case when earlier.motor_speed > 150 then ms else 0 end,
    case when power > 0 then floor(power * ms / 1000 + 0.5)::bigint else 0 end,
    case when power < 0 and not charging then floor(-power * ms / 1000 + 0.5)::bigint else 0 end,
    case
      when not charging then 0
      when power < 0 then floor(-power * ms / 1000 + 0.5)::bigint
      when power is null
        then greatest(floor(earlier.charging_current * coalesce(earlier.charging_voltage, 700) * ms / 1000 + 0.5)::bigint, 0)
      else 0
    end,
    case
      when b = bucket_of(earlier.time)
        and is_position(earlier.latitude, earlier.longitude) and is_position(next_latitude, next_longitude)
        then distance_mm(earlier.latitude, earlier.longitude, next_latitude, next_longitude)
      else 0
    end
  from
    (select
      earlier.battery_current * coalesce(earlier.battery_voltage, 700) as power,
      coalesce(earlier.is_charging >= 1 and earlier.charging_current > 1, false) as charging
    ) as state,
    generate_series(bucket_of(earlier.time), bucket_of(next_time - interval '1 ms'), interval '5 minutes') as b,
    lateral (select (extract(epoch from least(next_time, b + interval '5 minutes') - greatest(earlier.time, b)) * 1000)::bigint as ms) as piece
  where next_time - earlier.time <= interval '5 minutes'
$$;

-- Plain mean over the batteries that reported, in thousandths of a percent.
create function mean_soc_milli(r reading) returns bigint language sql immutable parallel safe return
  floor((coalesce(r.soc1, 0) + coalesce(r.soc2, 0) + coalesce(r.soc3, 0) + coalesce(r.soc4, 0))
  / nullif(num_nonnulls(r.soc1, r.soc2, r.soc3, r.soc4), 0) * 1000 + 0.5)::bigint;

-- Computes the buckets around the given instants anew from the stored readings: for rows that arrived late or
-- gained a signal. An interval is at most 5 minutes, so an instant touches its own bucket and both neighbours.
create function repair_rollup(in_stream integer[], in_time timestamptz[]) returns void language sql
set enable_seqscan = off as $$
  with touched as (
    select distinct s.stream_id, bucket_of(s.time + o.shift) as bucket
    from unnest(in_stream, in_time) as s (stream_id, time),
      (values (interval '-5 minutes'), (interval '0'), (interval '5 minutes')) as o (shift)
  ),
  near as (
    select distinct r as earlier
    from touched t
    join reading r on r.stream_id = t.stream_id
      and r.time >= t.bucket - interval '5 minutes' and r.time < t.bucket + interval '10 minutes'
  ),
  stepped as (
    select earlier, lead(earlier) over (partition by (earlier).stream_id order by (earlier).time) as later from near
  ),
  part as (
    select (earlier).stream_id, bucket_of((earlier).time) as bucket, 1 as count, 0::bigint as running_ms, 0::bigint as out_j,
      0::bigint as in_j, 0::bigint as charged_j, 0::bigint as distance_mm, mean_soc_milli(earlier) as soc_milli
    from near
    union all
    select (s.earlier).stream_id, p.bucket, 0, p.running_ms, p.out_j, p.in_j, p.charged_j, p.distance_mm, null
    from stepped s, interval_parts(s.earlier, (s.later).time, (s.later).latitude, (s.later).longitude) p
  ),
  fresh as (
    select p.stream_id, p.bucket, sum(p.count)::integer as count, sum(running_ms)::bigint as running_ms,
      sum(out_j)::bigint as out_j, sum(in_j)::bigint as in_j, sum(charged_j)::bigint as charged_j,
      sum(distance_mm)::bigint as distance_mm, min(soc_milli) / 1000.0 as soc_min, max(soc_milli) / 1000.0 as soc_max,
      coalesce(sum(soc_milli), 0)::bigint as soc_sum_milli, count(soc_milli)::integer as soc_count
    from part p join touched t on t.stream_id = p.stream_id and t.bucket = p.bucket
    group by p.stream_id, p.bucket
  ),
  change as (
    select f.stream_id, sum(f.count - coalesce(o.count, 0)) as count, sum(f.running_ms - coalesce(o.running_ms, 0)) as running_ms,
      sum(f.out_j - coalesce(o.out_j, 0)) as out_j, sum(f.in_j - coalesce(o.in_j, 0)) as in_j,
      sum(f.charged_j - coalesce(o.charged_j, 0)) as charged_j, sum(f.distance_mm - coalesce(o.distance_mm, 0)) as distance_mm
    from fresh f left join rollup o on o.stream_id = f.stream_id and o.bucket = f.bucket
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
  from change c where c.stream_id = l.stream_id
$$;

-- The newest of each signal of both; for one instant the value that was there stays.
create function newest_signals(stored jsonb, arrived jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(key, value) from (
    select distinct on (key) key, value
    from (select *, 1 as rank from jsonb_each(stored) union all select *, 2 from jsonb_each(arrived)) as both_sides
    order by key, (value ->> 1)::bigint desc, rank
  ) as newest
$$;

-- Stores readings of one or more streams, all or nothing, and feeds roll-up, totals and latest from what really
-- changed: a replay changes nothing. Two deliveries for one instant merge: new signals are added, existing ones
-- stay. Every look-up is by key: a plan that was made while a partition was empty must not read it whole later on,
-- hence no sequential scans. No instant may be given twice for one stream; every stream must have its row in latest.
-- latest_*: one element per stream of the batch: time of its newest reading, {name: [value, ms]} with the newest
-- of each signal, and the oldest time among those. known_*: the instants that were there already.
create function ingest_readings(
  in_stream integer[], in_time timestamptz[],
  in_latitude double precision[], in_longitude double precision[], in_motor_speed double precision[],
  in_charging_current double precision[], in_charging_voltage double precision[],
  in_battery_current double precision[], in_battery_voltage double precision[], in_speed double precision[],
  in_machinestatus double precision[], in_spoor double precision[], in_spoorstand double precision[],
  in_is_charging double precision[], in_soc1 double precision[], in_soc2 double precision[],
  in_soc3 double precision[], in_soc4 double precision[], in_rest jsonb[],
  latest_stream integer[], latest_time timestamptz[], latest_signals jsonb[], latest_oldest timestamptz[],
  out inserted integer, out merged integer, out known_stream integer[], out known_ms float8[]
) language plpgsql set enable_seqscan = off as $$
declare
  new_stream integer[];
  new_time timestamptz[];
  late_stream integer[];
  late_time timestamptz[];
  merged_stream integer[];
  merged_time timestamptz[];
begin
  perform 1 from latest where stream_id = any (latest_stream) order by stream_id for update;

  with incoming as (
    select * from unnest(in_stream, in_time, in_latitude, in_longitude, in_motor_speed, in_charging_current,
      in_charging_voltage, in_battery_current, in_battery_voltage, in_speed, in_machinestatus, in_spoor,
      in_spoorstand, in_is_charging, in_soc1, in_soc2, in_soc3, in_soc4, in_rest)
  ),
  stored as (
    insert into reading as r select * from incoming on conflict (stream_id, time) do nothing returning r as row_
  ),
  -- In the order of time, each stream's newest stored reading first.
  new_row as (
    select s.row_, (s.row_).stream_id, (s.row_).time, (s.row_).time <= l.time as late
    from stored s join latest l on l.stream_id = (s.row_).stream_id
  ),
  ordered as (
    select row_ as earlier, true as fresh from new_row where not late
    union all
    select r, false from latest l join reading r on r.stream_id = l.stream_id and r.time = l.time
    where l.stream_id = any (latest_stream)
  ),
  stepped as (
    select earlier, fresh, lead(earlier) over (partition by (earlier).stream_id order by (earlier).time) as later from ordered
  ),
  part as (
    select (earlier).stream_id, bucket_of((earlier).time) as bucket, 1 as count, 0::bigint as running_ms, 0::bigint as out_j,
      0::bigint as in_j, 0::bigint as charged_j, 0::bigint as distance_mm, mean_soc_milli(earlier) as soc_milli
    from stepped where fresh
    union all
    select (s.earlier).stream_id, p.bucket, 0, p.running_ms, p.out_j, p.in_j, p.charged_j, p.distance_mm, null
    from stepped s, interval_parts(s.earlier, (s.later).time, (s.later).latitude, (s.later).longitude) p
  ),
  added as (
    select stream_id, bucket, sum(count)::integer as count, sum(running_ms)::bigint as running_ms, sum(out_j)::bigint as out_j,
      sum(in_j)::bigint as in_j, sum(charged_j)::bigint as charged_j, sum(distance_mm)::bigint as distance_mm,
      min(soc_milli) / 1000.0 as soc_min, max(soc_milli) / 1000.0 as soc_max,
      coalesce(sum(soc_milli), 0)::bigint as soc_sum_milli, count(soc_milli)::integer as soc_count
    from part group by stream_id, bucket
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
      time = greatest(l.time, n.time),
      signals = case when n.oldest > l.time then l.signals || n.signals else newest_signals(l.signals, n.signals) end,
      updated_at = clock_timestamp(),
      total_count = l.total_count + coalesce(t.count, 0),
      total_running_ms = l.total_running_ms + coalesce(t.running_ms, 0),
      total_out_j = l.total_out_j + coalesce(t.out_j, 0), total_in_j = l.total_in_j + coalesce(t.in_j, 0),
      total_charged_j = l.total_charged_j + coalesce(t.charged_j, 0),
      total_distance_mm = l.total_distance_mm + coalesce(t.distance_mm, 0)
    from unnest(latest_stream, latest_time, latest_signals, latest_oldest) as n (stream_id, time, signals, oldest)
    left join total t on t.stream_id = n.stream_id
    where l.stream_id = n.stream_id
  )
  select count(*), array_agg(stream_id), array_agg(time),
    array_agg(stream_id) filter (where late), array_agg(time) filter (where late)
  into inserted, new_stream, new_time, late_stream, late_time from new_row;

  merged := 0;
  if inserted < cardinality(in_stream) then
    select array_agg(stream_id), array_agg(extract(epoch from time) * 1000) into known_stream, known_ms from (
      select * from unnest(in_stream, in_time) as i (stream_id, time)
      except select * from unnest(new_stream, new_time)
    ) as known;

    with incoming as (
      select * from unnest(in_stream, in_time, in_latitude, in_longitude, in_motor_speed, in_charging_current,
        in_charging_voltage, in_battery_current, in_battery_voltage, in_speed, in_machinestatus, in_spoor,
        in_spoorstand, in_is_charging, in_soc1, in_soc2, in_soc3, in_soc4, in_rest)
        as i (stream_id, time, latitude, longitude, motor_speed, charging_current, charging_voltage, battery_current,
          battery_voltage, speed, machinestatus, spoor, spoorstand, is_charging, soc1, soc2, soc3, soc4, rest)
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
    ),
    updated as (
      update reading r set latitude = u.latitude, longitude = u.longitude, motor_speed = u.motor_speed,
        charging_current = u.charging_current, charging_voltage = u.charging_voltage, battery_current = u.battery_current,
        battery_voltage = u.battery_voltage, speed = u.speed, machinestatus = u.machinestatus, spoor = u.spoor,
        spoorstand = u.spoorstand, is_charging = u.is_charging, soc1 = u.soc1, soc2 = u.soc2, soc3 = u.soc3,
        soc4 = u.soc4, rest = u.rest
      from united u
      where r.stream_id = u.stream_id and r.time = u.time
        and row(u.stream_id, u.time, u.latitude, u.longitude, u.motor_speed, u.charging_current, u.charging_voltage,
          u.battery_current, u.battery_voltage, u.speed, u.machinestatus, u.spoor, u.spoorstand, u.is_charging,
          u.soc1, u.soc2, u.soc3, u.soc4, u.rest)::reading is distinct from u.old
      returning r.stream_id, r.time
    )
    select count(*), array_agg(stream_id), array_agg(time) into merged, merged_stream, merged_time from updated;
  end if;

  if late_stream is not null or merged > 0 then
    perform repair_rollup(late_stream || merged_stream, late_time || merged_time);
  end if;
end $$;
