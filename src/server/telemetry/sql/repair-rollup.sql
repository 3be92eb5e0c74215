-- Computes the buckets around the given instants anew from the stored readings: for rows that arrived late or
-- gained a signal. An interval is at most a bucket long, so an instant touches its own bucket and both neighbours, and
-- what those hold depends on one more on either side. Planned for its own time range: the other weeks stay closed; and
-- with the joins that ingest_readings(), which calls it, forbids itself.
create or replace function repair_rollup(in_stream integer[], in_time timestamptz[]) returns void
language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_nestloop = on set enable_mergejoin = on as $$
declare
  -- Half-open. Known before it is planned: adding an interval depends on the time zone, and would be left for later.
  range_from timestamptz := bucket_of((select min(t) from unnest(in_time) as t)) - 2 * interval '{{BUCKET_MS}} ms';
  range_to timestamptz := bucket_of((select max(t) from unnest(in_time) as t)) + 3 * interval '{{BUCKET_MS}} ms';
begin
  with touched as (
    select distinct s.stream_id, bucket_of(s.time) + o.shift as bucket
    from unnest(in_stream, in_time) as s (stream_id, time),
      (values (- interval '{{BUCKET_MS}} ms'), (interval '0'), (interval '{{BUCKET_MS}} ms')) as o (shift)
  ),
  read as (
    select distinct t.stream_id, t.bucket + o.shift as bucket
    from touched t, (values (- interval '{{BUCKET_MS}} ms'), (interval '0'), (interval '{{BUCKET_MS}} ms')) as o (shift)
  ),
  stepped as (
    select r.stream_id, r.time, bucket_of(r.time) as bucket, {{tail: r.$}}, mean_soc_milli(r) as soc_milli, r.speed,
      lead(r.time) over w as next_time, lead(r.latitude) over w as next_latitude, lead(r.longitude) over w as next_longitude
    from read b
    join reading r on r.stream_id = b.stream_id and r.time >= b.bucket and r.time < b.bucket + interval '{{BUCKET_MS}} ms'
      and r.time >= range_from and r.time < range_to
    window w as (partition by r.stream_id order by r.time)
  ),
  piece as (
    select stream_id, bucket, {{tail: $}},
      case when next_time <= time + interval '{{MAX_GAP_MS}} ms'
        then ms_between(time, least(next_time, bucket + interval '{{BUCKET_MS}} ms')) else 0 end as ms,
      1 as count, soc_milli, speed,
      case when next_time <= time + interval '{{MAX_GAP_MS}} ms'
        then step_mm(latitude, longitude, next_latitude, next_longitude) else 0 end as distance_mm
    from stepped
    union all
    select stream_id, bucket + interval '{{BUCKET_MS}} ms', {{tail: $}}, ms_between(bucket + interval '{{BUCKET_MS}} ms', next_time), 0, null, null, 0
    from stepped where next_time <= time + interval '{{MAX_GAP_MS}} ms' and next_time > bucket + interval '{{BUCKET_MS}} ms'
  ),
  fresh as (
    select p.stream_id, p.bucket, {{BUCKET_SUMS}}
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
    insert into rollup (stream_id, bucket, count, running_ms, out_j, in_j, charged_j, distance_mm, soc_min, soc_max,
      soc_sum_milli, soc_count, speed_min, speed_max)
    select * from fresh
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
  update latest l set {{tail: tail_$ = r.$}}
  from unnest(in_stream, in_time) as s (stream_id, time)
  join reading r on r.stream_id = s.stream_id and r.time = s.time and r.time >= range_from and r.time < range_to
  where l.stream_id = s.stream_id and l.time = s.time;
end $$;
