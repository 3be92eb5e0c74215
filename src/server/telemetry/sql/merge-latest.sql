-- The newest of each name of both; for one instant the value that was there stays. No more names than have a
-- place: ours first, then by time, so that what remains depends on the readings and not on their order. A name without
-- a place is in its reading all the same. `newer`: all that arrived is newer than all that is stored.
create or replace function merge_signals(stored json, arrived json, newer boolean, out signals json, out names uuid, out left_out integer)
language plpgsql immutable as $$
declare
  most_names constant integer := {{MOST_NAMES}};
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
  left_out := greatest((select count(*) from jsonb_object_keys(merged)) - most_names, 0);
  if left_out > 0 then
    select jsonb_object_agg(key, value) into merged from (
      select key, value from jsonb_each(merged)
      order by (key in ({{signal: '$'}}) or key ~ '^(IsCharging.*|[Ss][Oo][Cc].*)$') desc,
        (value ->> 1)::bigint desc, key collate "C"
      limit most_names
    ) as kept;
  end if;
  signals := merged;
  names := (select md5(string_agg(key, E'\n' order by key collate "C")) from jsonb_object_keys(merged) as key)::uuid;
end $$;

-- For streams whose newest signals cannot simply be replaced.
create or replace function merge_latest(
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
