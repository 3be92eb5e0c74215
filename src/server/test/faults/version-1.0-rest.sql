-- Rows in the tables of version 1.0 that a fleet leaves empty. This file never changes: a table that a later migration creates gets its row
-- from the noun.ts of its noun.
insert into former_logger (logger_serial, until) values ('7000009', '2026-10-01');
insert into former_definition (writer_id, until, definition_id)
  select w.id, now(), d.id from writer w, definition d limit 1;
insert into redecoding (stream_id, writer_id, definition_id, bindings, from_time, preview, started_by)
  select w.stream_id, w.id, d.id, '[]', '-infinity', true, 1 from writer w, definition d limit 1;
insert into erasure (stream_id, from_time, to_time, made_at) select id, now() - interval '1 hour', now(), now() from stream limit 1;
insert into erased_reading (stream_id, time, erasure_id, signals) values (1, now(), 1, '{"Soc1": 5}');
insert into redecoded (stream_id, time, n, definition_id, signals) values (1, now(), 1, 1, '{"Soc1": 5}');
insert into leaving (organization_id, started_at, remove_from, was_active, stream_ids)
  select id, now(), now() + interval '30 days', true, '{}' from organization limit 1;
insert into erased_period (ownership_id, erased_at) select id, now() from ownership limit 1;
insert into erased_hours (stream_id, until, running_ms) select id, now(), 5 from stream limit 1;
insert into unknown_key (access_key) values ('STRANGER');
insert into audit (actor, action, kind, subject) values ('first start', 'machine.create', 'machine', 'A-1');
insert into refusal (minute, network, action, address, device, call, count)
  values (now() + interval '1 day', '192.0.2.1', 'session.refuse', '192.0.2.1', '', '', 2);
insert into session (token_hash, account_id, expires_at) select '\x01', id, now() + interval '13 days' from account limit 1;
insert into ended_session (token_hash, account_id, expires_at) select '\x03', id, now() + interval '13 days' from account limit 1;
insert into password_reset (id, account_id, code_hash, code_until, tries_left, token_hash, link_until)
  select gen_random_uuid(), id, 'x', now(), 5, 'y', now() from account limit 1;
insert into invitation (organization_id, email, role, expires_at, token_hashes)
  select id, 'b@klant.nl', 'kijker', now() + interval '7 days', '{"\\x04"}' from organization limit 1;
insert into applicant (organization_id, email, password_hash) select id, 'c@klant.nl', 'x' from organization limit 1;
insert into departed (organization_id, address_hash) select id, '\x05' from organization limit 1;
with other as (insert into account (email, password_hash, organization_id)
  select 'z@klant.nl', 'x', id from organization limit 1 returning id)
  insert into factor (account_id, kind, name, secret, last_step) select id, 'totp', 'app', '\x06', 0 from other;
insert into recovery_code (account_id, code_hash, salt) select id, '\x07', '\x08' from account limit 1;
insert into sign_in_step (token_hash, tries_left, expires_at) values ('\x09', 5, now() + interval '13 days');
insert into known_device (account_id, token_hash) select id, '\x02' from account limit 1;
insert into rate_limit (key, window_start, count) values ('login anna', now(), 3);
insert into logger_network (stream_id, kind) select id, 'wifi' from stream limit 1;
insert into logger_config (writer_id, guid, access_key, created_at, address, settings_digest)
  select id, 'g', 'K', now(), 'https://portaal.nl', 'd' from writer limit 1;
insert into logger_event (writer_id, at, kind, detail) select id, now(), 'firmware', '2.1' from writer limit 1;
insert into stored_log (logger_serial, bytes) values ('7000002', 3);
insert into object_chunk (object_id, n, data) select id, 0, 'abc' from object limit 1;
insert into multipart_upload (id, writer_id, key, content_type, metadata) select 'u', id, 'k', '', '{}' from writer limit 1;
insert into upload_part (upload_id, number, size, etag) values ('u', 1, 3, 'e');
insert into part_chunk (part_id, n, data) select id, 0, 'abc' from upload_part;
insert into import_progress (fingerprint, resume) values ('f1', '{"offset": 12}');
insert into background_task (name, done) values ('Geschiedenis vullen', 0.5);
insert into oidc_provider (organization_id, issuer, domain, client_id, client_secret)
  select id, 'https://idp.example', 'klant.nl', 'x', '\x08' from organization where name = 'klant';
insert into account_identity (account_id, issuer, subject) select id, 'https://idp.example', '1' from account limit 1;
insert into oidc_attempt (token_hash, organization_id, state, nonce, code_verifier, expires_at)
  select '\x09', organization_id, 's', 'n', 'v', now() + interval '13 days' from oidc_provider;
insert into oidc_arrival (token_hash, account_id, issuer, subject, expires_at)
  select '\x0a', id, 'https://idp.example', '1', now() + interval '13 days' from account limit 1;
insert into removed_position (stream_id, before) select id, now() from stream limit 1;
insert into secrets_check (sealed) values ('x') on conflict do nothing;
insert into project (organization_id, name, first_day) select id, 'Sluis', '2026-09-01' from organization limit 1;
insert into alert_rule (organization_id, name, kind, settings, hours, machines, severity, tells_end, is_on, valid_from)
  select id, 'Laag', 'low', '{}', 'always', 'all', 'notice', false, false, now() from organization limit 1;
insert into alert (rule_id, version, organization_id, stream_id, kind, severity, words, since, at, until, is_news, made_at)
  select r.id, 1, r.organization_id, s.id, 'low', 'notice', 'accu op 10%', now(), now(), now(), true, now()
  from alert_rule r, stream s limit 1;
insert into alert_seen select x.id, a.id from alert x, account a limit 1;
insert into alert_mute (account_id, rule_id, until) select a.id, r.id, 'infinity' from account a, alert_rule r limit 1;
insert into alert_preference select id, true, false, '21:00', '06:30' from account limit 1;
insert into alert_message (account_id, channel, made_at, sent_at) select id, 'mail', now(), now() from account limit 1;
insert into alert_outbox select x.id, m.account_id, 'mail', 'opened', now(), m.id from alert x, alert_message m;
insert into backup_made (at) values (now());
insert into portal_disk values ('host:/data', 1, 2, now());
insert into alert_presence select id, now(), '{}', '' from stream limit 1;
insert into alert_clock (looked_at, since) values (now(), now()) on conflict do nothing;
insert into assignment (project_id, stream_id, valid_from) select p.id, s.id, now() from project p, stream s limit 1;
insert into project_exception (project_id, stream_id, valid_from) select p.id, s.id, now() from project p, stream s limit 1;
insert into presence (stream_id, from_time, to_time, project_id, by_hand, unseen_ms) values (99, now(), now(), 1, true, 0);
insert into charging_session (stream_id, from_time, to_time, charging_ms, full_ms, charged_mj, soc_from, soc_to)
  values (99, now(), now(), 1, 0, 1, '{50}', '{80}');
insert into charge_forecast values (99, now(), 40, now(), now());
insert into dm1_day values (99, 20600, 0, 33, '[]', '{"first": 0, "chains": []}');
insert into fault_episode values (99, now(), 0, 33, 100, 1, false, now(), null, 'stop', 3);
insert into day_figures values (99, '2026-09-01', 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null, null, null, null, 0, 0, 0, 0, 0, 0, 0, 0);
insert into changed_history (stream_id, from_time) values (99, now());
insert into charging_tariff (organization_id, first_day, day_price, night_from, night_to, night_weekend)
  select id, '2026-01-01', 0.25, 23, 7, true from organization limit 1;
insert into contact (organization_id, name, telephone, note, seen_from) select id, 'Jan', '06-12345678', '', 'kijker' from organization limit 1;
insert into contact_use (organization_id, contact_id) select organization_id, id from contact;
insert into label (organization_id, name, colour) select id, 'Kade', 'blue' from organization limit 1;
insert into machine_label (label_id, stream_id) select l.id, s.id from label l, stream s limit 1;
insert into favourite (account_id, stream_id) select a.id, s.id from account a, stream s limit 1;
insert into maintenance_plan (stream_id, organization_id, name, every_hours, last_hours, last_day)
  select s.id, o.id, 'Beurt', 500, 0, now() from stream s, organization o limit 1;
insert into maintenance_done (plan_id, hours, day, note) select id, 0, now(), '' from maintenance_plan;
insert into maintenance_template (organization_id, brand, model) select id, 'Volvo', 'ECR25' from organization limit 1;
insert into maintenance_template_task (template_id, name, every_months) select id, 'Keuring', 12 from maintenance_template;
insert into push_key (private_key) values ('\x0b') on conflict do nothing;
insert into push_subscription (session_id, endpoint, p256dh, auth) select id, 'https://push.example/1', 'p', 'a' from session limit 1;
insert into push_taken (session_id, notice_id) select session_id, 'n' from push_subscription;
insert into report_factor (organization_id, kind, value, first_day, source)
  select id, 'co2', 0.27, '2026-01-01', 'lijst' from organization limit 1;
insert into report_subscription (account_id, organization_id, kind, rhythm, minutes, created_at)
  select id, organization_id, 'inzet', 'week', 1, now() from account limit 1;
insert into report_mail (subscription_id, first_day, asked_at) select id, '2026-11-16', now() from report_subscription limit 1;
insert into terrein (organization_id, name, areas, counted_from) select id, 'Werf', '[]', now() from organization limit 1;
insert into terrein_presence values (99, now(), now(), 1);
insert into webhook (organization_id, name, url, secret) select id, 'TMS', 'https://klant.nl', 's' from organization limit 1;
insert into webhook_delivery (webhook_id, event_id, type, body, asked_at) select id, 'e', 'test', '{}', now() from webhook;
insert into work_week select id, '{}' from organization limit 1;
insert into own_work_week (organization_id, label_id, week) select organization_id, id, '{}' from label limit 1;
