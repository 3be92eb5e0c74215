-- Stores readings of one or more streams, all or nothing, and feeds roll-up, totals and latest from what really
-- changed: a replay changes nothing. Two deliveries for one instant merge: new signals are added, existing ones
-- stay. No instant may be given twice for one stream; every stream must have its row in latest.
-- latest_*: one element per stream of the batch: time of its newest reading, {name: [value, ms]} with the newest
-- of each signal, the digest of those names (null: more than have a place), and the oldest time among those.
-- known_*: the instants that were there already; merged_*: those of them that gained a signal.
-- What follows a stream's newest reading, nearly everything, never reads a partition: only inserts open theirs. How
-- long the arrays are is unknown to the planner, so only joins are allowed that suit any length.
create or replace function ingest_readings(
  in_stream integer[], in_time timestamptz[],
  {{in_$ double precision[]}}, in_rest jsonb[],
  latest_stream integer[], latest_time timestamptz[], latest_signals json[], latest_names uuid[], latest_oldest timestamptz[],
  out inserted integer, out merged integer, out known_stream integer[], out known_ms float8[],
  out merged_stream integer[], out merged_ms float8[]
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
  merged_time timestamptz[];
begin
  perform 1 from latest where stream_id = any (latest_stream) order by stream_id for update;

  with stored as (
    insert into reading as r (stream_id, time, {{$}}, rest)
    select * from unnest(in_stream, in_time, {{in_$}}, in_rest)
    on conflict (stream_id, time) do nothing
    returning stream_id, time, {{tail: $}}, mean_soc_milli(r) as soc_milli, speed
  ),
  -- In the order of time, each stream's newest reading so far (the tail) among them. What comes before it is late.
  ordered as (
    select stream_id, time, {{tail: tail_$ as $}}, null::bigint as soc_milli, null::double precision as speed, 0 as fresh
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
    select stream_id, bucket, {{tail: $}},
      case when next_time <= time + interval '{{MAX_GAP_MS}} ms'
        then ms_between(time, least(next_time, bucket + interval '{{BUCKET_MS}} ms')) else 0 end as ms,
      fresh as count, soc_milli, speed,
      case when next_time <= time + interval '{{MAX_GAP_MS}} ms'
        then step_mm(latitude, longitude, next_latitude, next_longitude) else 0 end as distance_mm
    from stepped where tail_time is not null and (fresh = 1 or next_time <= time + interval '{{MAX_GAP_MS}} ms')
    union all
    select stream_id, bucket + interval '{{BUCKET_MS}} ms', {{tail: $}}, ms_between(bucket + interval '{{BUCKET_MS}} ms', next_time), 0, null, null, 0
    from stepped
    where tail_time is not null and next_time <= time + interval '{{MAX_GAP_MS}} ms' and next_time > bucket + interval '{{BUCKET_MS}} ms'
  ),
  added as (
    select stream_id, bucket, {{BUCKET_SUMS}}
    from piece group by stream_id, bucket
  ),
  rolled as (
    insert into rollup as r (stream_id, bucket, count, running_ms, out_j, in_j, charged_j, distance_mm, soc_min, soc_max,
      soc_sum_milli, soc_count, speed_min, speed_max)
    select * from added
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
      {{tail: tail_$ = s.$}},
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
    select * into merged_stream, merged_time
    from merge_readings(known_stream, known_time, in_stream, in_time, {{in_$}}, in_rest);
    merged := coalesce(cardinality(merged_stream), 0);
    merged_ms := (select array_agg(date_part('epoch', t) * 1000 order by n) from unnest(merged_time) with ordinality as u (t, n));
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
