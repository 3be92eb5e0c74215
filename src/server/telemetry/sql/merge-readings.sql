-- Gives readings that are there already the signals that they did not have. @returns which gained one. Planned for
-- its own time range.
create or replace function merge_readings(
  known_stream integer[], known_time timestamptz[], in_stream integer[], in_time timestamptz[],
  {{in_$ double precision[]}}, in_rest jsonb[],
  out merged_stream integer[], out merged_time timestamptz[]
) language plpgsql
set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_nestloop = on set enable_mergejoin = on as $$
declare
  first_time timestamptz := (select min(t) from unnest(known_time) as t);
  last_time timestamptz := (select max(t) from unnest(known_time) as t);
begin
  with incoming as (
    select * from unnest(in_stream, in_time, {{in_$}}, in_rest) as i (stream_id, time, {{$}}, rest)
    where (stream_id, time) in (select * from unnest(known_stream, known_time))
  ),
  united as (
    select i.stream_id, i.time, {{coalesce(r.$, i.$) as $}}, coalesce(i.rest || r.rest, r.rest, i.rest) as rest
    from incoming i join reading r on r.stream_id = i.stream_id and r.time = i.time
      and r.time >= first_time and r.time <= last_time
  ),
  updated as (
    update reading r set {{$ = u.$}}, rest = u.rest
    from united u
    where r.stream_id = u.stream_id and r.time = u.time and r.time >= first_time and r.time <= last_time
      and ({{u.$}}, u.rest) is distinct from ({{r.$}}, r.rest)
    returning r.stream_id, r.time
  )
  select array_agg(stream_id), array_agg(time) into merged_stream, merged_time from updated;
end $$;
