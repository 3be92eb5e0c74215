-- A machine and a logger with data in a database of version 1.0 (migrations/0001-baseline.sql), to which the upgrade test applies all later
-- migrations. This file never changes.
insert into organization (name, clean, code, address_key) values ('admin', 'Beheer', 'a', null), ('klant', 'Klant', 'k', '\x01');
insert into account (email, password_hash, organization_id, role, confirmed_at)
  select 'a@' || name || '.nl', 'x', id, case name when 'admin' then 'administrator' else 'beheerder' end, now() from organization;
insert into stream (kind, serial, alias) values ('machine', 'M-1', 'Kraan'), ('logger', 'L-1', 'Kar');
insert into machine (stream_id, brand, model, batteries) select id, 'Volta', 'EX-1', '[{"capacity": 40}]' from stream where kind = 'machine';
insert into machine_file (stream_id, kind, name, content_type, size, hash, body)
  select id, 'photo', 'kraan.webp', 'image/webp', 3, 'h', 'abc' from stream limit 1;
insert into ownership (stream_id, organization_id) select s.id, o.id from stream s, organization o where o.name = 'klant';
insert into definition (stream_id, mapping) select id, '{"signals": [], "keep": ["Soc1"]}' from stream limit 1;
insert into definition_bus (definition_id, bus, bitrate, name, dbc) select id, 0, 250000, 'accu.dbc', 'VERSION ""' from definition;
insert into writer (stream_id, logger_serial, definition_id) select d.stream_id, '7000001', d.id from definition d;
insert into writer_key (access_key, writer_id, secret) select 'WS1', id, 's' from writer;
insert into writer_health (writer_id, last_seen_at, counters) select id, now(), '{"uploads": 1}' from writer;
insert into object (logger_serial, key, size, etag, content_type, log_stored_at, outcome)
  values ('7000001', 'WS_SN7000001/1.log', 3, 'e', '', now(), '12 metingen');
insert into latest (stream_id, time, signals, total_count) select id, '2026-11-20', '{"Soc1": [50, 1763596800000]}', 1 from stream;
insert into reading (stream_id, time, soc1, rest) select id, '2026-11-20', 50, '{"Ander": [1e300, null]}' from stream;
insert into reading_file (stream_id, from_time, to_time, readings, chunks, content, is_merged)
  select id, '2026-11-10', '2026-11-11', 1, '{}', 'PAR1', true from stream limit 1;
insert into rollup (stream_id, bucket, count, running_ms, out_mj, in_mj, charged_mj, distance_mm, charging_ms, cable_ms, heard_ms, known_ms,
    run_known_ms, run_out_mj, run_in_mj, packs, full_ms, charging_current_min, charging_current_max, charging_flag_min, charging_flag_max,
    carried_mm, unused_no_fix, unused_null_island, unused_jumps)
  select id, '2026-11-20', 1, 300000, 5, 0, 0, 9, 0, 0, 300000, 300000, 300000, 5, 0, '{50,50,50000,1}', 0, 'infinity', '-infinity', 'infinity',
    '-infinity', 0, 0, 0, 0 from stream;
insert into day_cursor (stream_id, counted_at, time) select id, now(), '2026-11-20' from stream;
insert into alert_cursor (stream_id, begin_time, time, state, count) select id, now(), now(), '{}', 1 from stream;
insert into quarantine (logger_serial, key, reason, size) values ('7000001', 'x.json', 'onleesbaar', 3);
