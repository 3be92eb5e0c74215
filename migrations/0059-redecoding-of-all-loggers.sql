-- Decoding again covers the stored files of every logger that reported for a stream.

alter table redecoding rename column former to bindings;
alter table redecoding add column covers jsonb not null default '[]';  -- the files that it reads, by logger
comment on column redecoding.bindings is '[{loggerSerial, bound, former: [{definitionId, from, to}]}], ms';
update redecoding r set bindings = jsonb_build_array(jsonb_build_object(
  'writerId', w.id,
  'loggerSerial', w.logger_serial,
  'bound', jsonb_build_object(
    'from', case when isfinite(w.valid_from) then extract(epoch from w.valid_from)::float8 * 1000 end,
    'to', case when isfinite(w.valid_to) then extract(epoch from w.valid_to)::float8 * 1000 end
  ),
  'former', r.bindings
)) from writer w where w.id = r.writer_id;
