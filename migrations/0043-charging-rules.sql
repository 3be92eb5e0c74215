-- Who wants mails about the charging of a machine has a rule for it: the same look that finds alerts finds what they tell.
alter table alert add column data jsonb;           -- of charging: what happened, and the values then, for its mail
alter table alert_message add column is_alone boolean not null default false;  -- told by itself: it holds up no other
create unique index alert_rule_charging on alert_rule (account_id, (ids[1])) where kind = 'charging';
create index alert_rule_charging_stream on alert_rule ((ids[1])) where kind = 'charging';

insert into alert_rule (organization_id, account_id, name, kind, settings, hours, machines, ids, severity, tells_end, is_on, valid_from)
select a.organization_id, a.id, 'Laadupdate', 'charging', '{}', 'always', 'chosen', array[u.stream_id], 'notice', false, true,
  coalesce(c.begin_time, l.time, '-infinity')
from subscription u join account a on a.id = u.account_id
  left join charging_cursor c on c.stream_id = u.stream_id left join latest l on l.stream_id = u.stream_id
order by u.created_at, u.stream_id, a.id;

-- What is known of the last days is known still: it is told once, and another time only after an hour.
insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, until, is_news, made_at, data)
select r.id, 1, w.organization_id, e.stream_id, 'charging', 'notice',
  case e.kind when 'started' then 'begonnen' when 'ended' then 'gestopt' else 'klaar' end || ' met laden', e.from_time, e.known_at,
  coalesce(e.to_time, e.from_time), (e.data ->> 'mailed')::boolean, e.known_at,
  e.data - 'knownAt' - 'mailed' || jsonb_build_object('kind', e.kind)
from (select *, to_timestamp((data ->> 'knownAt')::float8 / 1000) as known_at from event where kind in ('started', 'ended', 'completed')) as e
  join alert_rule r on r.kind = 'charging' and r.ids[1] = e.stream_id
  join ownership w on w.stream_id = e.stream_id and w.valid_to = 'infinity'
where e.known_at > now() - interval '7 days'
order by e.from_time, r.id;

-- Mails that wait for their mail server, or for a process that was killed with them.
do $$
begin
  if to_regclass('pgboss.job') is null then return; end if;
  insert into alert_outbox (alert_id, account_id, channel, step, due_at)
  select x.id, r.account_id, 'mail', 'opened', x.at
  from pgboss.job j join alert_rule r on r.kind = 'charging' and r.ids[1] = (j.data ->> 'streamId')::int
      and r.account_id = (j.data ->> 'accountId')::int
    join alert x on x.rule_id = r.id and x.data ->> 'kind' = j.data ->> 'kind'
      and x.since = to_timestamp((j.data ->> 'from')::float8 / 1000)
  where j.name = 'charging-mail' and j.state in ('created', 'retry', 'active')
  on conflict do nothing;
  delete from pgboss.job where name = 'charging-mail';
end $$;

-- The next look judges the last day of these machines anew.
insert into alert_cursor as k (stream_id, begin_time, time, count, late)
select stream_id, begin_time - interval '5 minutes', time, count, true from charging_cursor
on conflict (stream_id) do update set late = true, reread_at = '-infinity', begin_time = least(k.begin_time, excluded.begin_time);

drop table subscription;
drop table charging_cursor;
drop table event;
