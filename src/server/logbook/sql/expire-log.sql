-- Deletes older rows, 10,000 at a time. Runs with the rights of its owner, since the application may not delete rows of the log.
-- Never deletes rows younger than 30 days, whatever the argument.
create or replace function expire_log(days integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (
    select id from audit where at < now() - make_interval(days => greatest(days, 30)) order by at, id limit 10000
  ), gone as (
    delete from audit using old where audit.id = old.id returning 1
  )
  select count(*)::integer from gone
$$;
