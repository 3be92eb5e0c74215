-- Writes the result of readings.store.ts for a batch, all or nothing: new readings, additions to the roll-up, and the new row of
-- `latest` per stream. Returns null, and writes nothing, when a row of `latest` has an xmin that the caller does not expect,
-- because another process has written it since. Only inserts open a partition. The planner does not know the length of the arrays,
-- so only joins that suit any length are allowed.
create or replace function telemetry.store_readings(
  in_stream integer[], in_time timestamptz[], {{in_$ double precision[]}}, in_rest jsonb[],
  bucket_stream integer[], bucket_start timestamptz[], {{sum: add_$ bigint[]}},
  {{low: add_$ double precision[]}}, {{high: add_$ double precision[]}}, new_packs text[],
  latest_stream integer[], latest_time timestamptz[], latest_heard timestamptz[], latest_signals json[],
  latest_left_out integer[], latest_track json[], latest_count integer[], latest_running_ms bigint[],
  latest_xmin text[]
) returns text language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_nestloop = off set enable_mergejoin = off as $$
declare
  -- A variable, because a cluster refuses an update with a function that could give a different value on each of its machines.
  moment timestamptz := clock_timestamp();
  written text;
begin
  -- Locks in the order of ids, so that concurrent groups cannot deadlock.
  if cardinality(latest_stream) <> (
    select count(*) from (
      select stream_id, l.xmin::text as xmin from telemetry.latest l where stream_id = any (latest_stream) order by stream_id for update
    ) as found join unnest(latest_stream, latest_xmin) as known (stream_id, xmin) using (stream_id, xmin)
  ) then
    return null;
  end if;

  insert into telemetry.reading (stream_id, time, {{$}}, rest)
  select * from unnest(in_stream, in_time, {{in_$}}, in_rest);

  -- The packs of a bucket arrive complete: latest.track contains the packs of the bucket's readings so far.
  insert into telemetry.rollup as r (stream_id, bucket, {{sum: $}}, {{low: $}}, {{high: $}}, packs)
  select stream_id, bucket, {{sum: $}}, {{low: $}}, {{high: $}}, packs::double precision[]
  from unnest(bucket_stream, bucket_start, {{sum: add_$}}, {{low: add_$}}, {{high: add_$}}, new_packs)
    as n (stream_id, bucket, {{sum: $}}, {{low: $}}, {{high: $}}, packs)
  on conflict (stream_id, bucket) do update set
    {{sum: $ = r.$ + excluded.$}}, {{low: $ = least(r.$, excluded.$)}}, {{high: $ = greatest(r.$, excluded.$)}},
    packs = coalesce(excluded.packs, r.packs);

  with moved as (update telemetry.latest l set
    time = n.time, heard_at = n.heard, signals = n.signals, names_left_out = l.names_left_out + n.left_out,
    track = n.track, total_count = l.total_count + n.count, total_running_ms = l.total_running_ms + n.running_ms,
    updated_at = moment
  from unnest(latest_stream, latest_time, latest_heard, latest_signals, latest_left_out, latest_track, latest_count, latest_running_ms)
    as n (stream_id, time, heard, signals, left_out, track, count, running_ms)
  where l.stream_id = n.stream_id and l.stream_id = any (latest_stream)
  returning l.xmin::text as xmin)
  -- Returns the xmin on the machine that has the rows, because a transaction of a cluster has a different number on each machine.
  select coalesce(min(xmin), '') from moved into written;
  return written;
end $$;
