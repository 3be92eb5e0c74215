-- Findings about deliveries are stored as kinds and figures (shared/domain/delivery-findings); their text is made when it is
-- shown. A text from before this migration becomes a finding of kind `text`.
drop trigger if exists note_error on writer_health;

alter table object alter column outcome drop default;
alter table object alter column outcome type jsonb using case
  when outcome = 'meting' then '[{"kind": "reading"}]'
  when outcome = 'status' then '[{"kind": "status"}]'
  when outcome = 'configuratie' then '[{"kind": "configuration"}]'
  when outcome = 'niet gedecodeerd' then '[{"kind": "not-decoded"}]'
  when outcome ~ '^[0-9.]+ meting(en)?(; .*)?$' then
    jsonb_build_array(jsonb_build_object(
      'kind', 'readings', 'count', replace(substring(outcome from '^[0-9.]+'), '.', '')::bigint
    )) || case
      when outcome like '%; %' then
        jsonb_build_array(jsonb_build_object(
          'kind', 'text', 'text', replace(substring(outcome from '; (.*)$'), ' (over te nemen bij Quarantaine)', '')
        ))
      else '[]'
    end
  else jsonb_build_array(jsonb_build_object('kind', 'text', 'text', outcome))
end;
alter table object alter column outcome set default '[]';
comment on column object.outcome is 'list of findings about its processing';

alter table quarantine alter column reason type jsonb
  using jsonb_build_array(jsonb_build_object('kind', 'text', 'text', reason));
comment on column quarantine.reason is 'list of findings';

alter table writer_health alter column last_error type jsonb
  using case when last_error is not null then jsonb_build_array(jsonb_build_object('kind', 'text', 'text', last_error)) end;
comment on column writer_health.last_error is 'list of findings';

update logger_event set detail = jsonb_build_array(jsonb_build_object('kind', 'text', 'text', detail))::text
where kind = 'error';
comment on column logger_event.detail is 'of an error, a list of findings';

update alert set data = data - 'outcome'
  || jsonb_build_object('findings', jsonb_build_array(jsonb_build_object('kind', 'text', 'text', data ->> 'outcome')))
where data ? 'outcome';
