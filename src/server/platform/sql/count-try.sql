-- Counts a try against each limit, in windows of 15 minutes. The first limit that is reached refuses: nothing is written for it
-- nor for those after it, so that a flood leaves no more rows than the first limit allows. Returns the count of each limit,
-- this try included; null when refused. Later calls delete expired rows (last, so that they hold no row while they wait).
create or replace function count_try(keys text[], tries integer[]) returns integer[] language plpgsql as $$
declare
  counted integer;
  counts integer[] := '{}';
begin
  for i in 1 .. cardinality(keys) loop
    insert into rate_limit as r (key, window_start, count) values (keys[i], now(), 1)
    on conflict (key) do update set
      count = case when r.window_start < now() - interval '15 minutes' then 1 else r.count + 1 end,
      window_start = case when r.window_start < now() - interval '15 minutes' then now() else r.window_start end
    where r.count < tries[i] or r.window_start < now() - interval '15 minutes'
    returning r.count into counted;
    if not found then
      return null;
    end if;
    counts := counts || counted;
  end loop;
  delete from rate_limit where key in (
    select key from rate_limit where window_start < now() - interval '15 minutes'
    order by window_start limit 20 for update skip locked
  );
  return counts;
end $$;
