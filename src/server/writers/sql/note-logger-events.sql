-- Writes the events of a logger when its health is written. The conditions of the triggers exclude ordinary
-- uploads. An equal event within an hour is not written again.
create or replace function note_logger_event() returns trigger language plpgsql as $$
declare
  event_kind text := tg_argv[0];
  noted_at timestamptz := new.last_seen_at;
  noted_detail text := '';
begin
  case event_kind
    when 'heard' then
      noted_detail := coalesce(floor(extract(epoch from new.last_seen_at - old.last_seen_at))::text, '');
    when 'error' then
      noted_at := new.last_error_at;
      noted_detail := new.last_error::text;
    when 'refused' then
      noted_at := new.refused_at;
      -- Drops the object's name; otherwise each file of a logger with a wrong clock would be an event.
      noted_detail := split_part(new.refusal, ':', 1);
    when 'firmware' then
      noted_at := new.status_at;
      noted_detail := new.status ->> 'firmware';
    when 'config-running' then
      noted_at := new.status_at;
      if not exists (
        select from logger_config where writer_id = new.writer_id and guid = new.status ->> 'configGuid'
      ) then
        event_kind := 'config-another';
      end if;
      noted_detail := coalesce(new.status ->> 'configName', '');
    else
      null;
  end case;
  if exists (
    select from logger_event where writer_id = new.writer_id and kind = event_kind and detail = noted_detail
      and at > noted_at - interval '1 hour'
  ) then
    return null;
  end if;
  insert into logger_event (writer_id, at, kind, detail)
    values (new.writer_id, coalesce(noted_at, now()), event_kind, noted_detail);
  delete from logger_event where id in (
    select id from logger_event where writer_id = new.writer_id order by id desc offset 50
  );
  return null;
end $$;

create or replace trigger note_heard after update of last_seen_at on writer_health for each row
when (new.last_seen_at is not null
  and (old.last_seen_at is null or new.last_seen_at > old.last_seen_at + interval '1 hour'))
execute function note_logger_event('heard');

create or replace trigger note_error after update of last_error_at on writer_health for each row
when (new.last_error_at is distinct from old.last_error_at and new.last_error is not null)
execute function note_logger_event('error');

create or replace trigger note_refused after update of refused_at on writer_health for each row
when (new.refused_at is distinct from old.refused_at and new.refusal is not null)
execute function note_logger_event('refused');

create or replace trigger note_firmware after update of status on writer_health for each row
when (new.status ->> 'firmware' <> old.status ->> 'firmware')
execute function note_logger_event('firmware');

create or replace trigger note_configuration after update of status on writer_health for each row
when (new.status ->> 'configGuid' is not null
  and new.status ->> 'configGuid' is distinct from old.status ->> 'configGuid')
execute function note_logger_event('config-running');

create or replace trigger note_frozen_clock after update of counters on writer_health for each row
when (new.counters -> 'frozenClocks' is distinct from old.counters -> 'frozenClocks')
execute function note_logger_event('frozen-clock');
