-- Removes what is older, 10,000 rows at a time: with the rights of its owner, for the application has none to remove rows of
-- the log. Never what is younger than 30 days, whatever it is asked.
create or replace function expire_log(days integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (
    select id from audit where at < now() - make_interval(days => greatest(days, 30)) order by at, id limit 10000
  ), gone as (
    delete from audit using old where audit.id = old.id returning 1
  )
  select count(*)::integer from gone
$$;
