-- The schema of a new database, which the migrations and the SQL beside the code create. Generated: change a migration or an sql/ folder,
-- then run `npm run schema`. A test compares this file with a new database. Not shown: the bodies of functions, the weekly partitions
-- and the tables of pg-boss. The tables of `telemetry` are in `public`, or in each shard (docs/decisions/0053-shards.md).

create table account (
  id integer not null generated always as identity,
  email text not null, -- as typed; compared in lower case
  password_hash text not null, -- argon2id
  organization_id integer not null,
  created_at timestamptz not null default now(),
  role text not null default 'gebruiker', -- permissions: src/shared/domain/access.ts
  must_change_password boolean not null default false, -- has the generated password of the first start; may only choose another
  name text, -- shown instead of the e-mail address
  confirmed_at timestamptz, -- the address was confirmed; mail about machines goes to it from then on
  has_password boolean not null default true, -- false: signs in by the organization's provider only, and is not asked for a password
  must_confirm boolean not null default false, -- registered by code: until confirmed_at is set only the calls of the own account answer
  limit_projects integer[], -- with limit_labels, what the person sees; null: no limit; deleted ids stay, as ids are never reused
  limit_labels integer[],
  only_today boolean not null default false, -- sees the present day only
  constraint account_pkey primary key (id),
  constraint account_organization_id_fkey foreign key (organization_id) references organization(id),
  constraint account_limit_lists check (((limit_projects is null) = (limit_labels is null))),
  constraint account_limit_role check ((((limit_projects is null) or (role = any (array['gebruiker', 'kijker']))) and ((not only_today) or (role = 'kijker')))),
  constraint account_role check ((role = any (array['administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker'])))
);
create unique index account_email on account (lower(email));
create trigger end_sessions after update of organization_id, password_hash, role, limit_projects, limit_labels, only_today on account for each row when (((old.organization_id <> new.organization_id) or (old.password_hash <> new.password_hash) or (old.role <> new.role) or (((old.limit_projects is distinct from new.limit_projects) or (old.limit_labels is distinct from new.limit_labels)) or (old.only_today is distinct from new.only_today)))) execute function end_sessions_of_account();
create trigger forget_identity after update of organization_id on account for each row when ((old.organization_id <> new.organization_id)) execute function forget_identity();
create trigger give_unordered_id before insert on account for each row execute function give_unordered_id();
create trigger session_changed after delete or update on account for each statement execute function session_changed();

-- Identity of an account at its organization's provider; an e-mail address alone never identifies a person.
create table account_identity (
  account_id integer not null,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null default now(),
  constraint account_identity_pkey primary key (account_id),
  constraint account_identity_issuer_subject_key unique (issuer, subject),
  constraint account_identity_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);

create table alert (
  id bigint not null generated always as identity,
  rule_id integer not null,
  version integer not null, -- of the rule
  organization_id integer not null,
  stream_id integer, -- null: about several machines or none
  kind text not null,
  severity text not null,
  words text not null default '', -- text of an alert from before migration 0002, which has no data
  since timestamptz not null, -- the condition began
  at timestamptz not null, -- the pending period was over
  until timestamptz, -- resolved; null: firing
  withdrawn_at timestamptz, -- late readings show that the condition never held
  is_news boolean not null, -- people are notified; not of alerts of long ago
  made_at timestamptz not null,
  taken_by integer, -- a person who accepted it
  taken_at timestamptz,
  subject text not null default '', -- distinguishes alerts of one rule and machine; names the subject if there is no machine
  data jsonb, -- figures of the text, as the kind declares them (shared/domain/alerts/kinds)
  value double precision, -- measured value; null: the kind has no number
  threshold double precision, -- of the rule
  reached_metres integer, -- of a move: 1000 or 10000, distances that people are notified of again; null: not reached
  constraint alert_pkey primary key (id),
  constraint alert_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint alert_rule_id_fkey foreign key (rule_id) references alert_rule(id) on delete cascade,
  constraint alert_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint alert_taken_by_fkey foreign key (taken_by) references account(id) on delete set null
);
create index alert_made on alert (organization_id, made_at, id);
create unique index alert_open on alert (rule_id, coalesce(stream_id, 0), subject) where ((until is null) and (withdrawn_at is null));
create index alert_stream on alert (stream_id, since);
create trigger give_unordered_id before insert on alert for each row execute function give_unordered_id();

-- The last evaluation of silence, and the beginning of uninterrupted evaluation.
create table alert_clock (
  id boolean not null default true,
  looked_at timestamptz not null,
  since timestamptz not null,
  constraint alert_clock_pkey primary key (id),
  constraint alert_clock_id_check check (id)
);

-- How far the readings of a stream are evaluated. A state is what later readings need of earlier ones. Each evaluation writes state, while the other two stay for a day: those are stored outside the row, and the page has room for the new row.
create table telemetry.alert_cursor (
  stream_id integer not null,
  begin_time timestamptz not null, -- earlier readings cause no alert
  time timestamptz not null, -- of the last evaluated reading
  state jsonb storage main, -- at time
  older jsonb storage external, -- some hours earlier
  oldest jsonb storage external, -- at least a day earlier: late readings are evaluated from there
  count bigint not null, -- readings stored at that time
  unsettled integer not null default 0, -- readings before which others may still arrive
  late boolean not null default false,
  reread_at timestamptz not null default '-infinity'::timestamptz,
  seen_at timestamptz, -- latest.updated_at at that time
  looked_at timestamptz not null default '-infinity'::timestamptz,
  constraint alert_cursor_pkey primary key (stream_id)
) with (toast_tuple_target=128, fillfactor=50);

-- One notification to one person by one channel: about one alert, or several as a list.
create table alert_message (
  id uuid not null default gen_random_uuid(), -- Message-ID of the mail, id of the push notification
  account_id integer not null,
  channel text not null,
  made_at timestamptz not null,
  sent_at timestamptz,
  is_alone boolean not null default false, -- sent separately: it delays no other notification
  constraint alert_message_pkey primary key (id),
  constraint alert_message_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint alert_message_channel_check check ((channel = any (array['mail', 'push'])))
);
create index alert_message_account on alert_message (account_id, channel, made_at);

-- Rules or machines that a person wants no notifications of for a while.
create table alert_mute (
  id integer not null generated always as identity,
  account_id integer not null,
  rule_id integer,
  stream_id integer,
  until timestamptz not null,
  constraint alert_mute_pkey primary key (id),
  constraint alert_mute_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint alert_mute_rule_id_fkey foreign key (rule_id) references alert_rule(id) on delete cascade,
  constraint alert_mute_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint alert_mute_check check ((num_nonnulls(rule_id, stream_id) = 1))
);
create unique index alert_mute_one on alert_mute (account_id, coalesce(rule_id, 0), coalesce(stream_id, 0));
create trigger give_unordered_id before insert on alert_mute for each row execute function give_unordered_id();

-- Notifications to send, and sent ones.
create table alert_outbox (
  alert_id bigint not null,
  account_id integer not null,
  channel text not null,
  step text not null, -- further-1, -10: a move of 1 and 10 km
  due_at timestamptz not null,
  message_id uuid, -- null: to be sent
  constraint alert_outbox_pkey primary key (alert_id, account_id, channel, step),
  constraint alert_outbox_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint alert_outbox_alert_id_fkey foreign key (alert_id) references alert(id) on delete cascade,
  constraint alert_outbox_message_id_fkey foreign key (message_id) references alert_message(id) on delete cascade,
  constraint alert_outbox_step_check check ((step = any (array['opened', 'further-1', 'further-10', 'closed', 'withdrawn'])))
);
create index alert_outbox_due on alert_outbox (due_at) where (message_id is null);
create index alert_outbox_message on alert_outbox (message_id);

-- How a person is notified; without a row as in src/shared/domain/alerts/quiet-hours.ts.
create table alert_preference (
  account_id integer not null,
  by_mail boolean not null,
  by_push boolean not null,
  quiet_from text, -- 'HH:mm' in Amsterdam
  quiet_to text,
  constraint alert_preference_pkey primary key (account_id),
  constraint alert_preference_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);

-- Position of each machine at the last evaluation of arrivals: earlier changes by late readings or people cause no notification.
create table alert_presence (
  stream_id integer not null,
  time timestamptz not null, -- of its newest counted reading
  state jsonb not null, -- at that time (src/shared/domain/presence.ts)
  projects text not null, -- hash of the projects that people had entered
  constraint alert_presence_pkey primary key (stream_id),
  constraint alert_presence_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade
);

create table alert_rule (
  id integer not null generated always as identity,
  organization_id integer not null,
  account_id integer, -- a person's own rule, which notifies that person only; null: the organization's rule
  name text not null,
  kind text not null, -- of src/shared/domain/alerts/kinds.ts
  settings jsonb not null, -- its numbers: RuleSettings
  hours text not null,
  machines text not null,
  ids integer[] not null default '{}'::integer[], -- of labels, projects, terreinen or streams
  severity text not null, -- daily: alerts wait for one mail a day
  accounts integer[] not null default '{}'::integer[], -- notified accounts, and
  roles text[] not null default '{}'[], -- everybody with one of these roles
  tells_end boolean not null, -- notifies when an alert has resolved
  is_on boolean not null,
  version integer not null default 1, -- increases when its condition changes
  valid_from timestamptz not null, -- of this version: earlier data cause no alert
  constraint alert_rule_pkey primary key (id),
  constraint alert_rule_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint alert_rule_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint alert_rule_hours_check check ((hours = any (array['always', 'work', 'outside']))),
  constraint alert_rule_machines_check check ((machines = any (array['all', 'labels', 'projects', 'terreinen', 'chosen']))),
  constraint alert_rule_severity_check check ((severity = any (array['notice', 'urgent', 'daily'])))
);
create unique index alert_rule_charging on alert_rule (account_id, (ids[1])) where (kind = 'charging'); -- A subscription to the charging mails of a machine is a rule
create index alert_rule_charging_stream on alert_rule ((ids[1])) where (kind = 'charging');
create index alert_rule_organization on alert_rule (organization_id);
create trigger give_unordered_id before insert on alert_rule for each row execute function give_unordered_id();

create table alert_seen (
  alert_id bigint not null,
  account_id integer not null,
  constraint alert_seen_pkey primary key (alert_id, account_id),
  constraint alert_seen_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint alert_seen_alert_id_fkey foreign key (alert_id) references alert(id) on delete cascade
);
create index alert_seen_account on alert_seen (account_id);

-- People who registered and wait for approval; they have no account yet.
create table applicant (
  id integer not null generated always as identity,
  organization_id integer not null,
  email text not null, -- as typed; compared in lower case
  password_hash text not null, -- argon2id
  asked_at timestamptz not null default now(),
  issuer text, -- with subject, the identity at the organization's provider; the account is linked to it
  subject text,
  constraint applicant_pkey primary key (id),
  constraint applicant_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);
create unique index applicant_email on applicant (lower(email), organization_id);
create index applicant_organization on applicant (organization_id);
create trigger give_unordered_id before insert on applicant for each row execute function give_unordered_id();

-- Manual assignment of a machine to a project; a machine has one at a time.
create table assignment (
  id integer not null generated always as identity,
  project_id integer not null,
  stream_id integer not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null default 'infinity'::timestamptz,
  constraint assignment_pkey primary key (id),
  constraint assignment_project_id_fkey foreign key (project_id) references project(id),
  constraint assignment_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint assignment_check check ((valid_from < valid_to))
);
create index assignment_project on assignment (project_id);
create index assignment_stream on assignment (stream_id, valid_from);
create trigger give_unordered_id before insert on assignment for each row execute function give_unordered_id();

-- Log of actions. People are named by id, so that erasing a person changes no row. The application only inserts rows; expire_log() deletes old ones.
create table audit (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  actor text, -- the program, if it was no person: 'first start', 'demo'
  action text not null, -- noun.verb: 'organization.create'
  subject text not null, -- serial number, loggerid, or functional name of an organization; empty for accounts
  data jsonb not null default '{}'::jsonb,
  actor_id integer, -- account, whose name is shown as long as it exists
  actor_organization_id integer, -- organization of actor_id at that time
  address text not null default '', -- network address of the request
  device text not null default '', -- device of the request, in words
  request_id text not null default '', -- identifies the request's lines in the server's log
  kind text not null, -- of LOG_KINDS in src/shared/domain/log-text.ts
  account_id integer, -- the account that the row is about
  stream_id integer, -- the machine or LMB logger that the row is about; subject is its number at that time
  organization_id integer, -- the organization whose log has the row; null: administrators only
  aside jsonb not null default '{}'::jsonb, -- for administrators only: names things of other organizations
  changes jsonb not null default '{}'::jsonb, -- name to [before, after], of changed values only
  account_organization_id integer, -- organization of account_id at that time; null: none, or unknown
  constraint audit_pkey primary key (id),
  constraint audit_names_nobody check (((actor !~~ '%@%') and (subject !~~ '%@%')))
);
create index audit_account on audit (account_id, at, id) where (account_id is not null);
create index audit_actor on audit (actor_id, at, id) where (actor_id is not null);
create index audit_at on audit (at, id);
create index audit_kind on audit (kind, at, id);
create index audit_organization on audit (organization_id, at, id);
create index audit_organization_kind on audit (organization_id, kind, at, id);
create index audit_stream on audit (stream_id, at, id) where (stream_id is not null);
create index audit_subject on audit (lower(subject), stream_id) where (stream_id is not null);

-- Progress of long work, such as filling the demo's history, for GET /api/background-tasks. The worker removes its row at the end; a row that is not updated belongs to a dead process.
create table background_task (
  name text not null, -- Dutch, shown to people
  done double precision not null,
  updated_at timestamptz not null default now(),
  constraint background_task_pkey primary key (name),
  constraint background_task_done_check check (((done >= (0)::double precision) and (done <= (1)::double precision)))
);

-- Scheduled and manual backups; a restore empties the table.
create table backup_made (
  id boolean not null default true,
  at timestamptz, -- the newest backup that was read back
  due_at timestamptz, -- the time of BACKUP_AT that it was for
  failed_at timestamptz, -- since when scheduled backups fail
  tried_at timestamptz, -- the newest failed one
  failure text, -- reason of the failure, in Dutch
  constraint backup_made_pkey primary key (id),
  constraint backup_made_id_check check (id)
);

-- Counts changes of what processes cache. A process reads the counter at least every 5 s; the notification only makes it faster.
create table change_counter (
  name text not null,
  n bigint not null default 0,
  constraint change_counter_pkey primary key (name)
);

-- Changes of existing buckets: the days of the stream must be counted again from then on.
create table telemetry.changed_history (
  stream_id integer not null,
  id uuid not null default gen_random_uuid(),
  from_time timestamptz not null,
  only_presence boolean not null default false, -- a project changed: sums of days and charging sessions stay
  constraint changed_history_pkey primary key (stream_id, id)
);

-- Forecasts of running charges: full between from_time and to_time. Never changed later.
create table telemetry.charge_forecast (
  stream_id integer not null,
  at timestamptz not null,
  percent double precision not null, -- mean of the batteries at that time
  from_time timestamptz not null,
  to_time timestamptz not null,
  constraint charge_forecast_pkey primary key (stream_id, at)
);

create table telemetry.charging_session (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  charging_ms bigint not null,
  full_ms bigint not null,
  charged_mj bigint not null,
  highest_watts double precision,
  soc_from double precision[] not null, -- by battery number less 1
  soc_to double precision[] not null,
  latitude double precision,
  longitude double precision,
  ended text, -- reason of the end; null: it continues
  first_percent smallint, -- the first whole percent that was reached
  reached_ms integer[] not null default '{}'::integer[], -- when that one and each next were reached, since from_time
  charged_hours bigint[], -- energy charged in each clock hour from that of from_time on, millijoule; null: none
  constraint charging_session_pkey primary key (stream_id, from_time)
);

-- Prices that an organization pays for charging (docs/decisions/0073-charging-costs.md), without VAT, as the customer enters them.
create table charging_tariff (
  id integer not null generated always as identity,
  organization_id integer not null,
  terrein_id integer, -- null: wherever no terrein's tariff applies
  first_day date not null, -- in Amsterdam; until a newer one replaces it
  last_day date, -- null: no end
  day_price double precision not null, -- euro per kWh; of all hours without a night price
  night_price double precision,
  night_from smallint not null, -- hours of the clock in Amsterdam
  night_to smallint not null,
  night_weekend boolean not null, -- the night price applies on Saturday and Sunday
  constraint charging_tariff_pkey primary key (id),
  constraint charging_tariff_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint charging_tariff_terrein_id_fkey foreign key (terrein_id) references terrein(id) on delete cascade,
  constraint charging_tariff_check check (((last_day is null) or (last_day >= first_day))),
  constraint charging_tariff_check1 check (((night_price is null) or (night_from <> night_to))),
  constraint charging_tariff_day_price_check check ((day_price >= (0)::double precision)),
  constraint charging_tariff_night_from_check check (((night_from >= 0) and (night_from <= 23))),
  constraint charging_tariff_night_price_check check ((night_price >= (0)::double precision)),
  constraint charging_tariff_night_to_check check (((night_to >= 0) and (night_to <= 23)))
);
create index charging_tariff_organization on charging_tariff (organization_id);
create trigger give_unordered_id before insert on charging_tariff for each row execute function give_unordered_id();

-- Person to call about an organization, a project or a machine (docs/alerts.md): one row per person, for all uses.
create table contact (
  id integer not null generated always as identity,
  organization_id integer not null,
  name text not null,
  telephone text not null, -- as typed (src/shared/domain/telephone.ts)
  note text not null,
  seen_from text not null, -- the lowest role that sees it
  constraint contact_pkey primary key (id),
  constraint contact_id_organization_id_key unique (id, organization_id),
  constraint contact_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint contact_seen_from_check check ((seen_from = any (array['kijker', 'gebruiker', 'beheerder'])))
);
create index contact_organization on contact (organization_id);
create trigger give_unordered_id before insert on contact for each row execute function give_unordered_id();

-- Use of a contact: for a project, for a machine, or for the organization if both are null.
create table contact_use (
  organization_id integer not null,
  contact_id integer not null,
  project_id integer,
  stream_id integer,
  constraint contact_use_project_id_key unique (project_id),
  constraint contact_use_stream_id_key unique (stream_id),
  constraint contact_use_contact_id_organization_id_fkey foreign key (contact_id, organization_id) references contact(id, organization_id) on delete cascade,
  constraint contact_use_project_id_fkey foreign key (project_id) references project(id) on delete cascade,
  constraint contact_use_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint contact_use_check check ((num_nonnulls(project_id, stream_id) <= 1))
);
create index contact_use_contact on contact_use (contact_id);
create unique index contact_use_of_organization on contact_use (organization_id) where ((project_id is null) and (stream_id is null));
create index contact_use_organization on contact_use (organization_id);

-- How far the days of a stream are counted.
create table telemetry.day_cursor (
  stream_id integer not null,
  counted_at timestamptz, -- latest.updated_at at that time; null: nothing is counted
  time timestamptz not null default '-infinity'::timestamptz, -- of the newest reading at that time
  compared_at timestamptz, -- newest reading when charge level and counted energy were compared (src/server/day-figures/compare-signals.ts)
  compare_from timestamptz, -- change of the definition: earlier values do not count in the comparison
  contradiction jsonb, -- src/shared/domain/signal-contradiction.ts; null: they agree
  constraint day_cursor_pkey primary key (stream_id)
);

-- Figures of a day in Amsterdam on each project, and of the whole day (project_id 0).
create table telemetry.day_figures (
  stream_id integer not null,
  day date not null,
  organization_id integer not null,
  project_id integer not null,
  count integer not null,
  running_ms bigint not null,
  charging_ms bigint not null,
  idle_ms bigint not null,
  out_mj bigint not null,
  in_mj bigint not null,
  charged_mj bigint not null,
  distance_mm bigint not null,
  heard_ms bigint not null,
  known_ms bigint not null,
  window_ms bigint not null, -- from first to last activity
  window_heard_ms bigint not null,
  first_active timestamptz,
  last_active timestamptz,
  soc_min double precision,
  soc_max double precision,
  presence jsonb, -- of project 0: state at the end of the day (src/shared/domain/presence.ts)
  cable_ms bigint not null, -- with the next three, terms of the mean power while running (docs/figures.md section 5)
  run_known_ms bigint not null,
  run_out_mj bigint not null,
  run_in_mj bigint not null,
  carried_mm bigint not null,
  unused_no_fix bigint not null,
  unused_null_island bigint not null,
  unused_jumps bigint not null,
  first_running timestamptz,
  last_running timestamptz,
  first_charging timestamptz,
  last_charging timestamptz,
  charged_from_hour smallint, -- hour of the first element of charged_hours
  charged_hours bigint[], -- energy charged in each clock hour, millijoule; null: none
  constraint day_figures_pkey primary key (stream_id, day, organization_id, project_id)
);

-- A mapping and a DBC per CAN bus. Each writer has its own copy, so that history keeps its definition; earlier definitions of a stream stay.
create table definition (
  id integer not null generated always as identity,
  stream_id integer,
  mapping jsonb not null default '{keep: [], signals: []}'::jsonb,
  created_at timestamptz not null default now(),
  made_by integer, -- account, which may be deleted; null: unknown, or the portal itself
  absent jsonb not null default '{}'::jsonb, -- values of a snapshot that mean none, by signal, derived from DBC and mapping (telemetry/decode/j1939/absent-values.ts)
  constraint definition_pkey primary key (id),
  constraint definition_stream_id_fkey foreign key (stream_id) references stream(id)
);
create index definition_stream on definition (stream_id);
create trigger changed after insert or delete or update on definition for each statement execute function directory_changed();

create table definition_bus (
  definition_id integer not null,
  bus smallint not null,
  bitrate integer not null, -- bit/s
  name text not null,
  dbc text not null,
  digest text not null generated always as (md5(dbc)) stored, -- compares DBC files without reading them
  j1939 text not null default 'none', -- which messages of the bus are SAE J1939
  j1939_messages text[] not null default '{}'[], -- for 'some': identifiers as in the definition ('0x0CF004FE')
  constraint definition_bus_pkey primary key (definition_id, bus),
  constraint definition_bus_definition_id_fkey foreign key (definition_id) references definition(id) on delete cascade,
  constraint definition_bus_bus_check check (((bus >= 0) and (bus <= 3))),
  constraint definition_bus_j1939_check check ((j1939 = any (array['none', 'dbc', 'all', 'some'])))
);
create trigger changed after insert or delete or update on definition_bus for each statement execute function directory_changed();

-- People who were deleted or refused, and cannot register again with the code.
create table departed (
  organization_id integer not null,
  address_hash bytea not null, -- of the e-mail address, under organization.address_key
  constraint departed_pkey primary key (organization_id, address_hash),
  constraint departed_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);

-- One row per ECU and day (UTC), however many DM1 it sent.
create table telemetry.dm1_day (
  stream_id integer not null,
  day integer not null, -- days since 1970-01-01
  bus smallint not null,
  source smallint not null,
  states jsonb not null, -- what the ECU reported, and when (dm1-days.ts)
  digest jsonb not null, -- input of fault_episode (episodes.ts)
  constraint dm1_day_pkey primary key (stream_id, day, bus, source)
);

-- Sessions that ended because their organization was disabled, until they would have expired: the next request gets the reason.
create table ended_session (
  token_hash bytea not null,
  account_id integer not null,
  expires_at timestamptz not null,
  constraint ended_session_pkey primary key (token_hash),
  constraint ended_session_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);
create index ended_session_account on ended_session (account_id);

-- Running hours of readings that were erased with a former owner's period: the hour meter of the machine keeps them.
create table erased_hours (
  stream_id integer not null,
  until timestamptz not null, -- end of the erased time
  running_ms bigint not null,
  constraint erased_hours_pkey primary key (stream_id, until),
  constraint erased_hours_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade
);

-- Ownerships whose history is to be removed, while the rest of the stream stays.
create table erased_period (
  ownership_id integer not null,
  asked_at timestamptz not null default now(),
  erased_at timestamptz, -- null: upkeep is removing it
  constraint erased_period_pkey primary key (ownership_id),
  constraint erased_period_ownership_id_fkey foreign key (ownership_id) references ownership(id) on delete cascade
);
create trigger changed after insert or delete or update on erased_period for each statement execute function directory_changed();

create table telemetry.erased_reading (
  stream_id integer not null,
  time timestamptz not null,
  erasure_id integer not null,
  signals jsonb not null,
  constraint erased_reading_pkey primary key (stream_id, erasure_id, time)
);

-- Readings that an administrator erased; kept for 30 days, so that the erasure can be undone.
create table erasure (
  id integer not null generated always as identity,
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  signal text, -- null: all signals
  made_by integer, -- account, which may be deleted
  made_at timestamptz not null,
  state text not null default 'waiting',
  done_until timestamptz not null default '-infinity'::timestamptz, -- earlier readings are erased
  readings integer not null default 0, -- readings of which something was erased
  values bigint not null default 0, -- erased values
  dm1 jsonb, -- erased fault codes, so that they can be restored
  constraint erasure_pkey primary key (id),
  constraint erasure_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint erasure_check check ((from_time < to_time)),
  constraint erasure_state_check check ((state = any (array['waiting', 'running', 'done', 'failed', 'undoing', 'undone'])))
);
create index erasure_stream on erasure (stream_id, made_at);

-- Second factors: passkeys and authenticator apps (TOTP).
create table factor (
  id integer not null generated always as identity,
  account_id integer not null,
  kind text not null,
  name text not null, -- given by the person
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  disabled_at timestamptz, -- a passkey that was copied: it stays, and signs no one in
  credential_id text, -- passkey: base64url, as browsers give it
  public_key bytea, -- passkey: COSE
  counter bigint, -- passkey: of the last use; 0 if the device keeps none
  transports text[], -- passkey: how browsers reach it
  secret bytea, -- totp: sealed
  last_step bigint, -- totp: steps of 30 s since 1970; codes of this step or earlier are used up
  constraint factor_pkey primary key (id),
  constraint factor_credential_id_key unique (credential_id),
  constraint factor_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint factor_check check (
case kind
    when 'passkey' then ((credential_id is not null) and (public_key is not null) and (counter is not null) and (transports is not null) and (secret is null))
    else ((secret is not null) and (last_step is not null) and (credential_id is null))
end),
  constraint factor_kind_check check ((kind = any (array['passkey', 'totp'])))
);
create index factor_account on factor (account_id);
create trigger give_unordered_id before insert on factor for each row execute function give_unordered_id();
create trigger session_changed after insert or delete or update of disabled_at on factor for each statement execute function session_changed();

-- Times in which an ECU reported a code; derived from dm1_day.
create table telemetry.fault_episode (
  stream_id integer not null,
  since timestamptz not null,
  bus smallint not null,
  source smallint not null,
  spn integer not null,
  fmi smallint not null,
  is_old_layout boolean not null,
  last_seen timestamptz not null,
  over_at timestamptz, -- null: no DM1 without the code came since
  lamp text,
  occurrences smallint,
  constraint fault_episode_pkey primary key (stream_id, since, bus, source, spn, fmi, is_old_layout),
  constraint fault_episode_lamp_check check ((lamp = any (array['stop', 'warning', 'protect', 'malfunction'])))
);
create index fault_episode_active on telemetry.fault_episode (stream_id) where (over_at is null);
create index fault_episode_over on telemetry.fault_episode (over_at);

create table favourite (
  account_id integer not null,
  stream_id integer not null,
  constraint favourite_pkey primary key (account_id, stream_id),
  constraint favourite_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint favourite_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade
);
create index favourite_stream on favourite (stream_id);

-- Definitions that a binding had before its present one (writer.definition_id): a log file is decoded by the definition of its time.
create table former_definition (
  writer_id integer not null,
  until timestamptz not null,
  definition_id integer not null,
  constraint former_definition_pkey primary key (writer_id, until),
  constraint former_definition_definition_id_fkey foreign key (definition_id) references definition(id),
  constraint former_definition_writer_id_fkey foreign key (writer_id) references writer(id) on delete cascade
);
create trigger changed after insert or delete or update on former_definition for each statement execute function directory_changed();

-- Loggers whose bindings were removed with a machine: their recordings until then belong to no other machine (INGEST-06).
create table former_logger (
  logger_serial text not null,
  until timestamptz not null,
  constraint former_logger_pkey primary key (logger_serial)
);

-- Written by GET /api/health, at most once a second: a read-only database cannot carry the portal.
create table health (
  one boolean not null default true,
  written_at timestamptz not null default now(),
  constraint health_pkey primary key (one),
  constraint health_one_check check (one)
) with (fillfactor=10);

-- Random key of this database for ids that reveal neither the number of rows nor their order (platform/sql/unordered-ids.sql).
create table id_key (
  key bytea not null
);

-- Progress of `npm run import` in a file, so that it can resume.
create table import_progress (
  fingerprint text not null,
  resume jsonb not null, -- LogResume of telemetry/decode
  finished boolean not null default false,
  updated_at timestamptz not null default now(),
  constraint import_progress_pkey primary key (fingerprint)
);

create table invitation (
  id integer not null generated always as identity,
  organization_id integer not null,
  email text, -- as typed; null once the invitation has ended
  role text not null,
  invited_by integer,
  expires_at timestamptz not null,
  token_hashes bytea[] not null default '{}'::bytea[], -- SHA-256; one for each attempt to mail it
  ended_as text,
  created_at timestamptz not null default now(),
  handed_hash bytea, -- SHA-256 of the token that the inviter handed over, also one of token_hashes: it does not prove who reads mail of the address
  limit_projects integer[], -- limits of the account, as in the table account
  limit_labels integer[],
  only_today boolean not null default false,
  constraint invitation_pkey primary key (id),
  constraint invitation_invited_by_fkey foreign key (invited_by) references account(id) on delete set null,
  constraint invitation_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint invitation_email check (((email is null) = (ended_as is not null))),
  constraint invitation_ended_as check ((ended_as = any (array['accepted', 'revoked']))),
  constraint invitation_limit_lists check (((limit_projects is null) = (limit_labels is null))),
  constraint invitation_limit_role check ((((limit_projects is null) or (role = any (array['gebruiker', 'kijker']))) and ((not only_today) or (role = 'kijker'))))
);
create unique index invitation_email on invitation (organization_id, lower(email));
create index invitation_invited_by on invitation (invited_by);
create trigger give_unordered_id before insert on invitation for each row execute function give_unordered_id();

-- Random tokens of browsers that signed in to an account: their attempts are counted separately from those of strangers.
create table known_device (
  account_id integer not null,
  token_hash bytea not null, -- SHA-256
  last_used_at timestamptz not null default now(),
  constraint known_device_pkey primary key (account_id, token_hash),
  constraint known_device_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);

-- Labels that an organization gives its machines (docs/decisions/0038-labels-end-with-the-owner.md).
create table label (
  id integer not null generated always as identity,
  organization_id integer not null,
  name text not null,
  colour text not null, -- of src/shared/domain/labels.ts
  constraint label_pkey primary key (id),
  constraint label_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);
create unique index label_name on label (organization_id, lower(name));
create trigger give_unordered_id before insert on label for each row execute function give_unordered_id();

-- The newest state of each stream: one row, created with the stream. Its row lock orders the batches of a stream. It has the values of earlier readings that later ones need, so that storing reads no partition. An update is in place (HOT).
create table telemetry.latest (
  stream_id integer not null,
  time timestamptz not null default '-infinity'::timestamptz, -- of the newest reading
  signals json not null default '{}'::json, -- name to [value, time in ms]: the newest of each; json, because jsonb would be parsed and sorted
  names_left_out bigint not null default 0, -- number of times that a name had no room in signals
  updated_at timestamptz not null default clock_timestamp(),
  total_count bigint not null default 0, -- readings ever; outlives partitions
  total_running_ms bigint not null default 0,
  track json not null default '{}'::json, -- values of earlier readings that later ones need (src/shared/domain/figures.ts)
  heard_at timestamptz not null default '-infinity'::timestamptz, -- highest of min(time of a reading, time of receipt): the time of live data
  recompute_from timestamptz, -- the roll-up must be recomputed from here on; null: it is up to date
  constraint latest_pkey primary key (stream_id)
) with (fillfactor=50);

-- Organizations that leave the portal: disabled at once; their data are removed after the grace period.
create table leaving (
  organization_id integer not null,
  started_at timestamptz not null, -- its machines were deleted and its loggers refused then
  remove_from timestamptz not null, -- upkeep removes its data from then on
  removing_since timestamptz, -- null: it can still be cancelled
  was_active boolean not null,
  stream_ids integer[] not null, -- machines and LMB loggers that it had at started_at
  owned_ids integer[] not null default '{}'::integer[], -- streams that it had then or earlier: the final scan looks for them
  logger_serials text[] not null default '{}'[], -- loggers that reported for them
  constraint leaving_pkey primary key (organization_id),
  constraint leaving_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);

-- Every config.xml that was made; only the newest of a writer keeps its text.
create table logger_config (
  id integer not null generated always as identity,
  writer_id integer not null,
  guid text not null, -- lower case; the logger reports it in Status.json
  access_key text not null,
  definition_id integer,
  xml bytea, -- sealed
  created_at timestamptz not null,
  downloaded_at timestamptz,
  address text not null, -- PUBLIC_URL at that time
  settings_digest text not null, -- of all settings at that time (writers/configuration-settings.ts): outdated when they change
  constraint logger_config_pkey primary key (id),
  constraint logger_config_writer_id_fkey foreign key (writer_id) references writer(id)
);
create index logger_config_writer on logger_config (writer_id, id desc);

-- The last events of each binding that no other table holds (writers/sql/note-logger-events.sql).
create table logger_event (
  id bigint not null generated always as identity,
  writer_id integer not null,
  at timestamptz not null,
  kind text not null, -- of writers/logger-events.ts
  detail text not null, -- of an error, a list of findings
  constraint logger_event_pkey primary key (id),
  constraint logger_event_writer_id_fkey foreign key (writer_id) references writer(id)
);
create index logger_event_writer on logger_event (writer_id, id desc);

-- How a stream's logger reaches the portal; empty values come from the LOGGER_* settings.
create table logger_network (
  stream_id integer not null,
  kind text not null,
  apn text not null default '',
  wifi_ssid text not null default '',
  sim_pin bytea, -- sealed
  wifi_password bytea, -- sealed
  updated_at timestamptz not null default now(),
  constraint logger_network_pkey primary key (stream_id),
  constraint logger_network_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint logger_network_kind_check check ((kind = any (array['mobile', 'wifi'])))
);

create table machine (
  stream_id integer not null,
  brand text not null,
  model text not null,
  macaddress text not null default '',
  batteries jsonb not null default '[]'::jsonb, -- [{capacity: kWh or null}]; battery n is element n - 1
  accessories jsonb not null default '[]'::jsonb, -- [{naam, nummer}]
  initial_hours double precision not null default 0,
  reference_stream_id integer, -- machine whose data definition was copied
  takes_reference boolean not null default false, -- chosen while no logger is bound: the next one gets the reference's definition
  version integer not null default 1, -- of this row: detects two administrators who save at once
  planned_logger text, -- named when the machine was created; used until a logger is bound
  registration_number text not null default '', -- licence plate, or its code at RDW
  seb_category text,
  power_kw double precision, -- continuous power
  constraint machine_pkey primary key (stream_id),
  constraint machine_reference_stream_id_fkey foreign key (reference_stream_id) references stream(id),
  constraint machine_stream_id_fkey foreign key (stream_id) references stream(id),
  constraint machine_power_kw_check check ((power_kw > (0)::double precision)),
  constraint machine_seb_category_check check ((seb_category = any (array['A', 'B', 'C'])))
);
create trigger changed after insert or delete or update on machine for each statement execute function directory_changed();

-- Photo and manual of a machine: in the database, so that its backup includes them and every process serves them.
create table machine_file (
  stream_id integer not null,
  kind text not null,
  name text not null, -- a safe file name, under which browsers save it
  content_type text not null,
  size integer not null, -- bytes of body
  hash text not null, -- SHA-256 of body, hexadecimal: part of its address
  body bytea storage external not null, -- WebP and PDF are compressed: stored as they are, so that reads need no decompression
  created_at timestamptz not null default now(),
  constraint machine_file_pkey primary key (stream_id, kind),
  constraint machine_file_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint machine_file_kind_check check ((kind = any (array['photo', 'manual'])))
);

create table machine_label (
  label_id integer not null,
  stream_id integer not null,
  constraint machine_label_pkey primary key (label_id, stream_id),
  constraint machine_label_label_id_fkey foreign key (label_id) references label(id) on delete cascade,
  constraint machine_label_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade
);
create index machine_label_stream on machine_label (stream_id);

create table maintenance_done (
  id integer not null generated always as identity,
  plan_id integer not null,
  hours double precision not null,
  day date not null,
  note text not null,
  constraint maintenance_done_pkey primary key (id),
  constraint maintenance_done_plan_id_fkey foreign key (plan_id) references maintenance_plan(id) on delete cascade
);
create index maintenance_done_plan on maintenance_done (plan_id);

-- Periodic maintenance of a machine by the organization that has it; other organizations do not see it.
create table maintenance_plan (
  id integer not null generated always as identity,
  stream_id integer not null,
  organization_id integer not null,
  name text not null,
  every_hours double precision, -- running hours
  every_months integer,
  last_hours double precision not null, -- hour meter when it was done last
  last_day date not null, -- day when it was done last, in Amsterdam
  template_task_id integer, -- the plan was made from this task
  follows_template boolean not null default false, -- takes name and interval of the task, until they are changed on the machine
  constraint maintenance_plan_pkey primary key (id),
  constraint maintenance_plan_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint maintenance_plan_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint maintenance_plan_template_task_id_fkey foreign key (template_task_id) references maintenance_template_task(id) on delete set null,
  constraint maintenance_plan_check check (((every_hours is not null) or (every_months is not null))),
  constraint maintenance_plan_every_hours_check check ((every_hours > (0)::double precision)),
  constraint maintenance_plan_every_months_check check ((every_months > 0))
);
create index maintenance_plan_organization on maintenance_plan (organization_id);
create index maintenance_plan_stream on maintenance_plan (stream_id);
create index maintenance_plan_template_task on maintenance_plan (template_task_id);
create trigger give_unordered_id before insert on maintenance_plan for each row execute function give_unordered_id();

-- Tasks of a brand and model, which an organization gives its machines of that model.
create table maintenance_template (
  id integer not null generated always as identity,
  organization_id integer not null,
  brand text not null,
  model text not null,
  constraint maintenance_template_pkey primary key (id),
  constraint maintenance_template_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);
create unique index maintenance_template_model on maintenance_template (organization_id, lower(brand), lower(model));
create trigger give_unordered_id before insert on maintenance_template for each row execute function give_unordered_id();

create table maintenance_template_task (
  id integer not null generated always as identity,
  place integer not null generated always as identity, -- order of entry, because ids have no order
  template_id integer not null,
  name text not null,
  every_hours double precision, -- running hours
  every_months integer,
  constraint maintenance_template_task_pkey primary key (id),
  constraint maintenance_template_task_template_id_fkey foreign key (template_id) references maintenance_template(id) on delete cascade,
  constraint maintenance_template_task_check check (((every_hours is not null) or (every_months is not null))),
  constraint maintenance_template_task_every_hours_check check ((every_hours > (0)::double precision)),
  constraint maintenance_template_task_every_months_check check ((every_months > 0))
);
create unique index maintenance_template_task_name on maintenance_template_task (template_id, lower(name));
create trigger give_unordered_id before insert on maintenance_template_task for each row execute function give_unordered_id();

-- Objects that arrive in parts (docs/decisions/0049-uploads-in-parts.md), until they are complete; for 24 hours at most (upkeep.ts).
create table multipart_upload (
  id text not null, -- random: the client's upload id
  writer_id integer not null, -- of the key that began it
  key text not null, -- of the object, without the bucket
  content_type text not null,
  metadata jsonb not null, -- x-amz-meta-*
  created_at timestamptz not null default now(),
  completed_at timestamptz, -- the object is stored and the parts are deleted; the answer can be repeated
  etag text, -- of the complete object
  constraint multipart_upload_pkey primary key (id),
  constraint multipart_upload_writer_id_fkey foreign key (writer_id) references writer(id) on delete cascade
);
create index multipart_upload_writer on multipart_upload (writer_id);

-- Last objects of each logger. Newer documents replace older ones; log files are deleted by age. A document is replaced every few seconds, in place (HOT): its page has room, and no index or index condition has a column that changes then.
create table object (
  id bigint not null generated always as identity,
  logger_serial text not null,
  key text not null, -- without the bucket
  size bigint not null,
  etag text not null, -- hexadecimal MD5 of the content
  content_type text not null,
  metadata jsonb not null default '{}'::jsonb, -- x-amz-meta-*
  modified_at timestamptz not null default now(),
  log_stored_at timestamptz, -- null: a document
  outcome jsonb not null default '[]'::jsonb, -- list of findings about its processing
  body bytea, -- of a document; a log file is in object_chunk
  is_withheld boolean not null default false, -- log file of a key after its replace_by: decoding again leaves it out until an administrator accepts it
  bus_report jsonb, -- J1939 sources and absent values (telemetry/decode/j1939/bus-report.ts); null: no J1939, or not decoded
  log_summary jsonb, -- LogSummary of src/shared/contract/log-files.ts; null: not decoded
  constraint object_pkey primary key (id),
  constraint object_logger_serial_key_key unique (logger_serial, key)
) with (fillfactor=50);
create index object_logs on object (log_stored_at) where (log_stored_at is not null);
create trigger log_stored after insert on object for each row when ((new.log_stored_at is not null)) execute function count_stored_log();
create trigger logs_removed after delete on object referencing old table as old_rows for each statement execute function forget_stored_logs();

create table object_chunk (
  object_id bigint not null,
  n integer not null,
  data bytea storage external not null,
  constraint object_chunk_pkey primary key (object_id, n),
  constraint object_chunk_object_id_fkey foreign key (object_id) references object(id) on delete cascade
);

-- People back from the provider whose confirmed address has an unlinked account: its password links both.
create table oidc_arrival (
  token_hash bytea not null, -- SHA-256 of the cookie's random token
  account_id integer not null,
  issuer text not null,
  subject text not null,
  expires_at timestamptz not null,
  constraint oidc_arrival_pkey primary key (token_hash),
  constraint oidc_arrival_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);
create index oidc_arrival_account on oidc_arrival (account_id);
create index oidc_arrival_end on oidc_arrival (expires_at);

-- Sign-ins and links on their way to a provider and back; a cookie identifies them, and they are valid once.
create table oidc_attempt (
  token_hash bytea not null, -- SHA-256 of the cookie's random token
  organization_id integer not null,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  session_hash bytea, -- of a person who links their account; ends with the session
  invitation_hash bytea, -- SHA-256 of the token of the invitation that is being accepted
  constraint oidc_attempt_pkey primary key (token_hash),
  constraint oidc_attempt_organization_id_fkey foreign key (organization_id) references oidc_provider(organization_id) on delete cascade,
  constraint oidc_attempt_session_hash_fkey foreign key (session_hash) references session(token_hash) on update cascade on delete cascade
);
create index oidc_attempt_end on oidc_attempt (expires_at);
create index oidc_attempt_organization on oidc_attempt (organization_id);
create index oidc_attempt_session on oidc_attempt (session_hash);

-- Identity provider of an organization (OpenID Connect).
create table oidc_provider (
  organization_id integer not null,
  issuer text not null, -- as in its metadata and tokens
  domain text not null, -- of its people's addresses; lower case, as in DNS
  client_id text not null,
  client_secret bytea not null, -- sealed
  is_only boolean not null default false, -- the organization's people sign in by the provider only
  constraint oidc_provider_pkey primary key (organization_id),
  constraint oidc_provider_domain_key unique (domain),
  constraint oidc_provider_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);

-- A customer of the portal; the organization named admin administers it.
create table organization (
  id integer not null generated always as identity,
  name text not null, -- functional name: a lowercase slug
  clean text not null, -- display name
  code text not null, -- people enter this code to register
  is_active boolean not null default true,
  is_berende boolean not null default false, -- customer of LMB logging
  created_at timestamptz not null default now(),
  log_quota_told_on date, -- day of the last alert that a quota of log files is nearly used
  had_account boolean not null default false, -- the first account ever becomes beheerder; later ones do not
  requires_second_factor boolean not null default false, -- beside the setting REQUIRE_SECOND_FACTOR
  registration text not null default 'approval', -- code: the code admits; approval: a beheerder admits; invitation: only invited people
  applicants_told_at timestamptz, -- last mail that applicants wait for approval
  address_key bytea, -- sealed; key of the hashes in departed
  privacy jsonb not null default '{routesFrom: kijker, viewerHours: null, positionDays: null}'::jsonb, -- who sees where machines were, and how long positions are kept (src/shared/domain/privacy.ts)
  mails_report_files boolean not null default false, -- mails with a report have its file attached
  constraint organization_pkey primary key (id),
  constraint organization_code_key unique (code),
  constraint organization_name_key unique (name),
  constraint organization_registration check ((registration = any (array['code', 'approval', 'invitation'])))
);
create trigger changed after insert or delete or update on organization for each statement execute function directory_changed();
create trigger end_sessions after update of is_active on organization for each row when ((old.is_active and (not new.is_active))) execute function end_sessions_of_organization();
create trigger give_unordered_id before insert on organization for each row execute function give_unordered_id();
create trigger session_changed after delete or update on organization for each statement execute function session_changed();

-- Work week of a label, project or machine, which replaces that of the organization (docs/decisions/0070-own-work-weeks-and-present-moves.md).
create table own_work_week (
  id integer not null generated always as identity,
  organization_id integer not null,
  label_id integer,
  project_id integer,
  stream_id integer,
  week json not null, -- as in work_week
  constraint own_work_week_pkey primary key (id),
  constraint own_work_week_label_id_key unique (label_id),
  constraint own_work_week_project_id_key unique (project_id),
  constraint own_work_week_stream_id_key unique (stream_id),
  constraint own_work_week_label_id_fkey foreign key (label_id) references label(id) on delete cascade,
  constraint own_work_week_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint own_work_week_project_id_fkey foreign key (project_id) references project(id) on delete cascade,
  constraint own_work_week_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint own_work_week_check check ((num_nonnulls(label_id, project_id, stream_id) = 1))
);
create index own_work_week_organization on own_work_week (organization_id);

-- Time in which a machine is an organization's: it sees the history of this time only. The first owner's time has no beginning.
create table ownership (
  id integer not null generated always as identity,
  stream_id integer not null,
  organization_id integer not null,
  valid_from timestamptz not null default '-infinity'::timestamptz,
  valid_to timestamptz not null default 'infinity'::timestamptz,
  constraint ownership_pkey primary key (id),
  constraint ownership_organization_id_fkey foreign key (organization_id) references organization(id),
  constraint ownership_stream_id_fkey foreign key (stream_id) references stream(id),
  constraint ownership_check check ((valid_from < valid_to))
);
create unique index ownership_current on ownership (stream_id) where (valid_to = 'infinity'::timestamptz);
create index ownership_organization on ownership (organization_id, stream_id);
create trigger changed after insert or delete or update on ownership for each statement execute function directory_changed();
create trigger end_former_assignments after insert on ownership for each row when ((new.valid_to = 'infinity'::timestamptz)) execute function end_former_assignments();
create trigger end_former_subscriptions after insert on ownership for each row when ((new.valid_to = 'infinity'::timestamptz)) execute function end_former_subscriptions();

create table part_chunk (
  part_id bigint not null,
  n integer not null,
  data bytea storage external not null,
  constraint part_chunk_pkey primary key (part_id, n),
  constraint part_chunk_part_id_fkey foreign key (part_id) references upload_part(id) on delete cascade
);

-- Ways to a new password. An account may have several; using one ends all of them.
create table password_reset (
  id uuid not null, -- of the job that mails it, so that a retry replaces it
  account_id integer not null,
  code_hash bytea not null, -- argon2id, salted by the address
  code_until timestamptz not null,
  tries_left smallint not null, -- of the code
  token_hash bytea not null, -- SHA-256 of the link's token
  link_until timestamptz not null,
  used_at timestamptz, -- the account got another password, by this or another way
  is_handed_over boolean not null default false, -- an administrator handed over the link: it does not prove who reads mail of the address
  constraint password_reset_pkey primary key (id),
  constraint password_reset_token_hash_key unique (token_hash),
  constraint password_reset_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);
create index password_reset_account on password_reset (account_id);

-- Free space on the disks with the data of each process.
create table portal_disk (
  place text not null, -- host:folder
  free_bytes double precision not null,
  all_bytes double precision not null,
  measured_at timestamptz not null,
  constraint portal_disk_pkey primary key (place)
);

-- Time of a machine on a project, divided at midnights.
create table telemetry.presence (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  project_id integer not null,
  by_hand boolean not null, -- by an assignment
  unseen_ms bigint not null, -- covered by readings without a position
  constraint presence_pkey primary key (stream_id, from_time)
);

create table project (
  id integer not null generated always as identity,
  organization_id integer not null,
  name text not null,
  number text not null default '',
  client text not null default '', -- opdrachtgever
  first_day date not null, -- in Amsterdam
  last_day date, -- null: no end yet
  areas jsonb not null default '[]'::jsonb, -- Area[] of src/shared/domain/area.ts
  created_at timestamptz not null default now(),
  deleted_at timestamptz, -- kept for reports that name it
  version integer not null default 1, -- detects two people who save at once
  constraint project_pkey primary key (id),
  constraint project_organization_id_fkey foreign key (organization_id) references organization(id),
  constraint project_check check ((last_day >= first_day))
);
create index project_organization on project (organization_id);
create trigger give_unordered_id before insert on project for each row execute function give_unordered_id();

-- Time in which a machine's positions do not count for a project (docs/decisions/0076-exceptions-of-projects.md).
create table project_exception (
  id integer not null generated always as identity,
  project_id integer not null,
  stream_id integer not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null default 'infinity'::timestamptz,
  constraint project_exception_pkey primary key (id),
  constraint project_exception_project_id_fkey foreign key (project_id) references project(id) on delete cascade,
  constraint project_exception_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint project_exception_check check ((valid_from < valid_to))
);
create index project_exception_project on project_exception (project_id);
create index project_exception_stream on project_exception (stream_id, valid_from);
create trigger give_unordered_id before insert on project_exception for each row execute function give_unordered_id();

-- Key that identifies the portal to push services (VAPID, RFC 8292); generated at the first start.
create table push_key (
  id boolean not null default true,
  private_key bytea not null, -- P-256, sealed
  constraint push_key_pkey primary key (id),
  constraint push_key_id_check check (id)
);

-- Browser of a session that gets notifications, as long as the session lasts.
create table push_subscription (
  session_id integer not null,
  endpoint text not null, -- address at the browser's push service
  p256dh text not null, -- with auth, encrypts for this browser only; base64url
  auth text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz, -- the service accepted a message last
  failed_at timestamptz, -- the service refused a message last
  wait_until timestamptz, -- the service accepts nothing earlier (Retry-After)
  constraint push_subscription_pkey primary key (session_id),
  constraint push_subscription_endpoint_key unique (endpoint),
  constraint push_subscription_session_id_fkey foreign key (session_id) references session(id) on delete cascade
);

-- Notifications that a device has, so that a retry for another device does not repeat them.
create table push_taken (
  session_id integer not null,
  notice_id text not null,
  taken_at timestamptz not null default now(),
  constraint push_taken_pkey primary key (session_id, notice_id),
  constraint push_taken_session_id_fkey foreign key (session_id) references push_subscription(session_id) on delete cascade
);
create index push_taken_at on push_taken (taken_at);

-- Signed uploads, or readings in them, that cannot become history. Limited per logger.
create table quarantine (
  id bigint not null generated always as identity,
  logger_serial text not null,
  key text not null,
  received_at timestamptz not null default now(),
  reason jsonb not null, -- list of findings
  size bigint not null,
  body bytea, -- the first 64 KiB; the whole body if readings are held
  held_from timestamptz, -- time of the first held reading: from before the logger's present binding, for a machine that another organization has now; null: none is held
  held_to timestamptz, -- time of the last one
  held_count integer,
  object_id bigint, -- of a log file, which may be deleted
  constraint quarantine_pkey primary key (id)
);
create index quarantine_logger on quarantine (logger_serial, id desc);
create index quarantine_received on quarantine (received_at);

-- Attempts per account and address in windows of 15 minutes, for all processes together (platform/sql/count-try.sql).
create table rate_limit (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  constraint rate_limit_pkey primary key (key)
);
create index rate_limit_window on rate_limit (window_start);

-- Readings of open weeks, and changes of readings in files; weekly partitions (telemetry/sql/weeks.sql).
create table telemetry.reading (
  stream_id integer not null,
  time timestamptz not null, -- whole milliseconds
  latitude double precision,
  longitude double precision,
  motor_speed double precision, -- rpm
  charging_current double precision, -- A
  charging_voltage double precision, -- V
  battery_current double precision, -- A, positive while discharging
  battery_voltage double precision, -- V
  speed double precision, -- km/h
  machinestatus double precision,
  spoor double precision,
  spoorstand double precision,
  is_charging double precision, -- the largest IsCharging* flag
  soc1 double precision, -- %, by battery number
  soc2 double precision,
  soc3 double precision,
  soc4 double precision,
  rest jsonb, -- every other signal under the logger's name
  soc5 double precision,
  soc6 double precision,
  soc7 double precision,
  soc8 double precision,
  constraint reading_pkey primary key (stream_id, time)
) partition by range (time);
create table reading_default partition of telemetry.reading default;

-- Readings of one stream and one closed week (Monday, UTC) as a Parquet file (docs/decisions/0080-parquet-files.md). Times of files do not overlap. A row of `reading` replaces the reading at its time.
create table telemetry.reading_file (
  stream_id integer not null,
  from_time timestamptz not null, -- of the first reading
  to_time timestamptz not null, -- of the last reading
  readings integer not null,
  chunks jsonb not null, -- by column: its first byte, its length, 1 if a reading has no value, and its CRC-32
  content bytea storage external not null, -- stored without compression, so that a column is read without the others
  is_merged boolean not null, -- false: an upload into a closed week, which upkeep merges with its neighbours
  sampled bytea storage external, -- a second Parquet file: the first value of each column per 30 s, for charts and paths (docs/decisions/0081-sampled-readings.md); null if it would not be small
  sampled_chunks jsonb,
  sampled_readings integer,
  constraint reading_file_pkey primary key (stream_id, from_time)
);
create index reading_file_unmerged on telemetry.reading_file (stream_id, from_time) where (not is_merged);

create table recovery_code (
  account_id integer not null,
  code_hash bytea not null, -- argon2id
  salt bytea not null, -- the same for all codes of an account
  constraint recovery_code_pkey primary key (account_id, code_hash),
  constraint recovery_code_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);

-- Readings that the log files of a stream have by each of its definitions, until they replace the stored readings.
create table telemetry.redecoded (
  stream_id integer not null,
  time timestamptz not null,
  n integer not null, -- in the order of delivery
  definition_id integer not null,
  signals jsonb not null,
  constraint redecoded_pkey primary key (stream_id, time, n)
);

-- The last 'Decodeer logbestanden opnieuw' of each stream, or a preview of it.
create table redecoding (
  stream_id integer not null,
  writer_id integer not null,
  definition_id integer not null, -- in force from from_time on
  bindings jsonb not null, -- [{loggerSerial, bound, former: [{definitionId, from, to}]}], ms
  from_time timestamptz not null,
  preview boolean not null,
  started_at timestamptz not null default now(), -- with the stream, identifies this one
  state text not null default 'waiting',
  files_done integer not null default 0,
  files integer not null default 0,
  findings text[] not null default '{}'[], -- in Dutch: why some of the files become no history
  outcome jsonb not null default '{signals: {}, readings: {added: 0, changed: 0, removed: 0}}'::jsonb,
  started_by integer, -- account, which may be deleted; null: unknown
  covers jsonb not null default '[]'::jsonb, -- files that are read, by logger
  constraint redecoding_pkey primary key (stream_id),
  constraint redecoding_definition_id_fkey foreign key (definition_id) references definition(id) on delete cascade,
  constraint redecoding_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade,
  constraint redecoding_writer_id_fkey foreign key (writer_id) references writer(id) on delete cascade,
  constraint redecoding_state_check check ((state = any (array['waiting', 'running', 'done', 'failed'])))
);

-- Refusals of the present minute, counted: after the minute each becomes one row of the log.
create table refusal (
  minute timestamptz not null,
  network text not null, -- of the address, as rate limits count addresses
  action text not null,
  account_id integer not null default 0, -- 0: no existing account
  stranger text not null default '', -- keyed hash of an e-mail address that has no account
  first_at timestamptz not null default now(),
  address text not null, -- of the first refusal, as are device and call
  device text not null,
  call text not null,
  count integer not null,
  constraint refusal_pkey primary key (minute, network, action, account_id, stranger)
);

-- Time before which a stream's positions were removed from its readings. Late readings set it back.
create table removed_position (
  stream_id integer not null,
  before timestamptz not null,
  constraint removed_position_pkey primary key (stream_id),
  constraint removed_position_stream_id_fkey foreign key (stream_id) references stream(id) on delete cascade
);

-- Factors of an organization's reports, with their source. An update of the portal never changes them.
create table report_factor (
  id integer not null generated always as identity,
  organization_id integer not null,
  kind text not null,
  value double precision not null, -- co2: kg per kWh; diesel: litres per hour
  first_day date not null, -- in Amsterdam; until a newer one replaces it
  from_kw double precision, -- diesel: machines from this continuous power
  below_kw double precision, -- diesel: below this continuous power; null: no limit
  compared_to text not null default '', -- diesel: the machine that is not used
  source text not null,
  constraint report_factor_pkey primary key (id),
  constraint report_factor_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint report_factor_check check ((((kind = 'diesel') = (from_kw is not null)) and ((from_kw < below_kw) is not false))),
  constraint report_factor_kind_check check ((kind = any (array['co2', 'diesel']))),
  constraint report_factor_value_check check ((value >= (0)::double precision))
);
create index report_factor_organization on report_factor (organization_id);
create trigger give_unordered_id before insert on report_factor for each row execute function give_unordered_id();

-- Mails that were requested, so that each period gets one.
create table report_mail (
  subscription_id integer not null,
  first_day date not null, -- of the period
  asked_at timestamptz not null,
  sent_at timestamptz,
  constraint report_mail_pkey primary key (subscription_id, first_day),
  constraint report_mail_subscription_id_fkey foreign key (subscription_id) references report_subscription(id) on delete cascade
);

-- Reports that an account gets by mail.
create table report_subscription (
  id integer not null generated always as identity,
  account_id integer not null,
  organization_id integer not null, -- of the account at that time: after a move it gets none
  kind text not null, -- of src/shared/domain/reports/kinds.ts
  rhythm text not null,
  minutes integer not null, -- running minutes that make a day of use
  projects integer[], -- null: all, and none
  machines integer[], -- ids of streams; null: all
  created_at timestamptz not null,
  labels integer[], -- null: machines with any label or none
  constraint report_subscription_pkey primary key (id),
  constraint report_subscription_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint report_subscription_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint report_subscription_rhythm_check check ((rhythm = any (array['week', 'month'])))
);
create index report_subscription_account on report_subscription (account_id);
create trigger give_unordered_id before insert on report_subscription for each row execute function give_unordered_id();

-- Figures of each bucket of 5 minutes (docs/figures.md); weekly partitions.
create table telemetry.rollup (
  stream_id integer not null,
  bucket timestamptz not null, -- start of the 5 minutes
  count integer not null, -- readings
  running_ms bigint not null,
  out_mj bigint not null, -- energy out of the battery, millijoule
  in_mj bigint not null, -- fed back while not charging, millijoule
  charged_mj bigint not null,
  distance_mm bigint not null,
  speed_min double precision, -- km/h: charts of long times show peaks too, although they do not read every reading
  speed_max double precision,
  charging_ms bigint not null,
  cable_ms bigint not null, -- running on the cable
  heard_ms bigint not null, -- covered by readings
  known_ms bigint not null, -- of heard_ms: BatteryCurrent gives the energy
  run_known_ms bigint not null, -- of known_ms: running, off the cable
  run_out_mj bigint not null,
  run_in_mj bigint not null,
  packs double precision[], -- per battery 4 elements: lowest, highest, sum in thousandths of a percent, number of values
  full_ms bigint not null, -- charging although full
  charge_watts double precision, -- highest charging power
  south double precision, -- box around all positions
  west double precision,
  north double precision,
  east double precision,
  charging_current_min double precision not null, -- A; infinite: no value
  charging_current_max double precision not null,
  charging_flag_min double precision not null, -- infinite: no value
  charging_flag_max double precision not null,
  carried_mm bigint not null, -- distance without driving
  unused_no_fix bigint not null, -- positions that do not count, by reason
  unused_null_island bigint not null,
  unused_jumps bigint not null,
  constraint rollup_pkey primary key (stream_id, bucket)
) partition by range (bucket);
create table rollup_default partition of telemetry.rollup default;
create index rollup_carried on telemetry.rollup (stream_id, bucket) where (carried_mm > 0); -- Few buckets have a transport: its list reads only these

create table schema_migration (
  name text not null,
  sha256 text not null,
  applied_at timestamptz not null default now(),
  constraint schema_migration_pkey primary key (name)
);

create table schema_routine (
  type text not null,
  identity text not null,
  sha256 text not null,
  constraint schema_routine_pkey primary key (type, identity)
);

-- A sample that is sealed with SECRETS_KEY: a process with another key must not start, because it could open no logger's secret.
create table secrets_check (
  only_one boolean not null default true,
  sealed bytea not null,
  constraint secrets_check_pkey primary key (only_one),
  constraint secrets_check_only_one_check check (only_one)
);

create table session (
  token_hash bytea not null, -- SHA-256 of the cookie's random token
  account_id integer not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  id integer not null generated always as identity, -- names the session in answers; the token stays secret
  last_used_at timestamptz not null default now(), -- to the minute; an unused session ends
  proved_at timestamptz not null default now(), -- the password or a factor was given last
  address text not null default '', -- of the last use
  user_agent text not null default '',
  constraint session_pkey primary key (token_hash),
  constraint session_id_key unique (id),
  constraint session_account_id_fkey foreign key (account_id) references account(id) on delete cascade
);
create index session_account on session (account_id);
create trigger give_unordered_id before insert on session for each row execute function give_unordered_id();
create trigger session_changed after delete or update of token_hash, account_id, expires_at, proved_at on session for each statement execute function session_changed();

-- Sign-ins between the password and the second factor, and requests for a passkey; a cookie identifies them.
create table sign_in_step (
  token_hash bytea not null, -- SHA-256 of the cookie's random token
  account_id integer, -- null: a passkey without a password before it
  password_hash text, -- the one that matched
  challenge text, -- signed by a passkey, once
  tries_left smallint not null,
  expires_at timestamptz not null,
  issuer text, -- with subject, an identity that is linked to the account after the second factor
  subject text,
  constraint sign_in_step_pkey primary key (token_hash),
  constraint sign_in_step_account_id_fkey foreign key (account_id) references account(id) on delete cascade,
  constraint sign_in_step_identity check ((((issuer is null) = (subject is null)) and ((issuer is null) or (account_id is not null))))
);
create index sign_in_step_account on sign_in_step (account_id);
create index sign_in_step_end on sign_in_step (expires_at);

-- Size of the stored log files of each logger, for quotas (telemetry/sql/count-stored-logs.sql).
create table stored_log (
  logger_serial text not null,
  bytes bigint not null,
  constraint stored_log_pkey primary key (logger_serial)
) with (fillfactor=50);

-- The history of one machine or one LMB logger.
create table stream (
  id integer not null generated always as identity, -- never reused
  kind text not null,
  serial text not null, -- serial number of a machine, loggerid of an LMB logger; unique regardless of case
  alias text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  purged_at timestamptz, -- its readings are being removed: it cannot be restored
  next_definition_id integer, -- uploaded while no logger is bound: definition of the next logger; null: that of the last one
  constraint stream_pkey primary key (id),
  constraint stream_next_definition_id_fkey foreign key (next_definition_id) references definition(id) on delete set null,
  constraint stream_kind_check check ((kind = any (array['machine', 'logger'])))
);
create unique index stream_serial on stream (lower(serial)) where (deleted_at is null);
create trigger changed after insert or delete or update on stream for each statement execute function directory_changed();
create trigger end_subscriptions after update of deleted_at on stream for each row when ((new.deleted_at is not null)) execute function end_subscriptions();
create trigger forget_machine_files after update of deleted_at on stream for each row when ((new.deleted_at is not null)) execute function forget_machine_files();
create trigger give_unordered_id before insert on stream for each row execute function give_unordered_id();

-- Areas of an organization that are no project, such as a yard (docs/decisions/0072-terreinen.md).
create table terrein (
  id integer not null generated always as identity,
  organization_id integer not null,
  name text not null,
  kind text, -- null: not stated
  areas jsonb not null, -- Area[] of src/shared/domain/area.ts, as drawn
  counted_from timestamptz not null, -- machines are followed from then on; earlier only places are named
  version integer not null default 1, -- detects two people who save at once
  created_at timestamptz not null default now(),
  deleted_at timestamptz, -- kept for earlier alerts that name it
  constraint terrein_pkey primary key (id),
  constraint terrein_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade,
  constraint terrein_kind_check check ((kind = any (array['yard', 'workshop', 'depot'])))
);
create unique index terrein_name on terrein (organization_id, lower(name)) where (deleted_at is null);
create trigger give_unordered_id before insert on terrein for each row execute function give_unordered_id();

-- Time of a machine on a terrein by its positions, divided at midnights.
create table telemetry.terrein_presence (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  terrein_id integer not null,
  constraint terrein_presence_pkey primary key (stream_id, from_time)
);

-- Well-formed uploads that were signed with an unknown key.
create table unknown_key (
  access_key text not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  count bigint not null default 1,
  folder text not null default '', -- of the last upload that named one, without the bucket
  constraint unknown_key_pkey primary key (access_key)
);

create table upload_part (
  id bigint not null generated always as identity,
  upload_id text not null,
  number integer not null,
  size bigint not null,
  etag text not null, -- hexadecimal MD5 of the content
  stored_at timestamptz not null default now(),
  constraint upload_part_pkey primary key (id),
  constraint upload_part_upload_id_number_key unique (upload_id, number),
  constraint upload_part_upload_id_fkey foreign key (upload_id) references multipart_upload(id) on delete cascade
);

-- Address of an organization's program that gets events (docs/webhooks.md).
create table webhook (
  id integer not null generated always as identity,
  organization_id integer not null,
  name text not null,
  url text not null,
  secret bytea not null, -- sealed; signs its messages
  is_on boolean not null default true,
  is_gone boolean not null default false, -- disabled because it answered 410
  made_by integer,
  made_at timestamptz not null default now(),
  taken_until timestamptz not null default '-infinity'::timestamptz, -- later than now: a process is sending to it
  constraint webhook_pkey primary key (id),
  constraint webhook_made_by_fkey foreign key (made_by) references account(id) on delete set null,
  constraint webhook_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);
create index webhook_organization on webhook (organization_id);
create trigger give_unordered_id before insert on webhook for each row execute function give_unordered_id();

-- Messages to webhooks: queue and log.
create table webhook_delivery (
  id integer not null generated always as identity,
  webhook_id integer not null,
  event_id text not null, -- the receiver's idempotency key
  type text not null,
  body text not null, -- the same bytes in every attempt
  asked_at timestamptz not null, -- attempts continue for 24 hours from then on
  next_try_at timestamptz, -- null: no further attempt
  tries integer not null default 0,
  tried_at timestamptz,
  status integer, -- of the last answer
  failure text, -- why there was no answer: of src/shared/domain/webhooks.ts
  ms integer, -- duration of the last attempt
  made_nth bigint not null generated always as identity, -- order of messages of one instant
  constraint webhook_delivery_pkey primary key (id),
  constraint webhook_delivery_webhook_id_event_id_key unique (webhook_id, event_id),
  constraint webhook_delivery_webhook_id_fkey foreign key (webhook_id) references webhook(id) on delete cascade
);
create index webhook_delivery_due on webhook_delivery (webhook_id, next_try_at) where (next_try_at is not null);
create trigger give_unordered_id before insert on webhook_delivery for each row execute function give_unordered_id();

-- Work week of an organization (docs/decisions/0045-work-week.md); without a row the usual week.
create table work_week (
  organization_id integer not null,
  week json not null, -- WorkWeek of src/shared/domain/alerts/work-week.ts, as written
  constraint work_week_pkey primary key (organization_id),
  constraint work_week_organization_id_fkey foreign key (organization_id) references organization(id) on delete cascade
);

-- Binding of a logger to a stream. A reading belongs to the binding that was valid at its time. A logger's first binding has no beginning, so that earlier recordings count.
create table writer (
  id integer not null generated always as identity,
  stream_id integer not null,
  logger_serial text not null, -- ReXgen: 7 digits; CANedge: its device id, 8 hexadecimal digits
  definition_id integer,
  valid_from timestamptz not null default '-infinity'::timestamptz,
  valid_to timestamptz not null default 'infinity'::timestamptz,
  created_at timestamptz not null default now(),
  kind text not null default 'rexgen',
  constraint writer_pkey primary key (id),
  constraint writer_definition_id_fkey foreign key (definition_id) references definition(id),
  constraint writer_stream_id_fkey foreign key (stream_id) references stream(id),
  constraint writer_check check ((valid_from < valid_to)),
  constraint writer_logger_serial_check check ((((kind = 'rexgen') and (logger_serial ~ '^[0-9]{7}$')) or ((kind = 'canedge') and (logger_serial ~ '^[0-9A-F]{8}$'))))
);
create unique index writer_current_logger on writer (logger_serial) where (valid_to = 'infinity'::timestamptz);
create unique index writer_current_stream on writer (stream_id) where (valid_to = 'infinity'::timestamptz);
create index writer_logger on writer (logger_serial, valid_from);
create trigger changed after insert or delete or update on writer for each statement execute function directory_changed();

-- Counters and last messages of a logger, of all processes together.
create table writer_health (
  writer_id integer not null,
  last_seen_at timestamptz,
  last_error jsonb, -- list of findings
  last_error_at timestamptz,
  status jsonb, -- the last Status.json
  status_at timestamptz,
  guid_since timestamptz, -- since when the logger reports the configuration of that Status.json
  counters jsonb not null default '{}'::jsonb, -- name to count (telemetry/counters.ts)
  refused_at timestamptz, -- of the last refused upload
  refusal text, -- S3 error code and key of that object: 'code: key'
  constraint writer_health_pkey primary key (writer_id),
  constraint writer_health_writer_id_fkey foreign key (writer_id) references writer(id)
);
create trigger note_configuration after update of status on writer_health for each row when ((((new.status ->> 'configGuid') is not null) and ((new.status ->> 'configGuid') is distinct from (old.status ->> 'configGuid')))) execute function note_logger_event('config-running');
create trigger note_error after update of last_error_at on writer_health for each row when (((new.last_error_at is distinct from old.last_error_at) and (new.last_error is not null))) execute function note_logger_event('error');
create trigger note_firmware after update of status on writer_health for each row when (((new.status ->> 'firmware') <> (old.status ->> 'firmware'))) execute function note_logger_event('firmware');
create trigger note_frozen_clock after update of counters on writer_health for each row when (((new.counters -> 'frozenClocks') is distinct from (old.counters -> 'frozenClocks'))) execute function note_logger_event('frozen-clock');
create trigger note_guid before update of status on writer_health for each row execute function note_guid();
create trigger note_heard after update of last_seen_at on writer_health for each row when (((new.last_seen_at is not null) and ((old.last_seen_at is null) or (new.last_seen_at > (old.last_seen_at + '01:00:00'::interval))))) execute function note_logger_event('heard');
create trigger note_refused after update of refused_at on writer_health for each row when (((new.refused_at is distinct from old.refused_at) and (new.refusal is not null))) execute function note_logger_event('refused');

-- Access keys of loggers at the upload endpoint.
create table writer_key (
  access_key text not null,
  writer_id integer not null,
  secret bytea not null, -- sealed
  created_at timestamptz not null default now(),
  first_used_at timestamptz,
  retired_at timestamptz, -- refused from then on
  ended_with_binding boolean not null default false, -- refused because the binding ended: valid again when the binding is restored
  log_day date, -- in Europe/Amsterdam
  log_bytes bigint not null default 0, -- of log files that were stored with the key on log_day
  replace_by timestamptz, -- sold with its machine: from then on its uploads go to quarantine
  constraint writer_key_pkey primary key (access_key),
  constraint writer_key_writer_id_fkey foreign key (writer_id) references writer(id)
);
create index writer_key_writer on writer_key (writer_id);
create trigger changed after insert or delete or update of access_key, writer_id, secret, retired_at, replace_by on writer_key for each statement execute function directory_changed();

create function count_stored_log() returns trigger language plpgsql;
create function count_try(keys text[], tries integer[]) returns integer[] language plpgsql;
create function directory_changed() returns trigger language plpgsql;
create function end_former_assignments() returns trigger language plpgsql;
create function end_former_subscriptions() returns trigger language plpgsql;
create function end_sessions_of_account() returns trigger language plpgsql;
create function end_sessions_of_organization() returns trigger language plpgsql;
create function end_subscriptions() returns trigger language plpgsql;
create function ensure_week(moment timestamptz) returns void language plpgsql security definer set search_path=pg_catalog, pg_temp set lock_timeout=3s;
create function expire_log(days integer) returns integer language sql security definer set search_path=public, pg_temp;
create function forget_identity() returns trigger language plpgsql;
create function forget_machine_files() returns trigger language plpgsql;
create function forget_stored_logs() returns trigger language plpgsql;
create function give_unordered_id() returns trigger language plpgsql;
create function has_week(suffix text) returns boolean language sql;
create function note_guid() returns trigger language plpgsql;
create function note_key_use(in_key text) returns void language plpgsql;
create function note_logger_event() returns trigger language plpgsql;
create function session_changed() returns trigger language plpgsql;
create function store_readings(in_stream integer[], in_time timestamptz[], in_latitude double precision[], in_longitude double precision[], in_motor_speed double precision[], in_charging_current double precision[], in_charging_voltage double precision[], in_battery_current double precision[], in_battery_voltage double precision[], in_speed double precision[], in_machinestatus double precision[], in_spoor double precision[], in_spoorstand double precision[], in_is_charging double precision[], in_soc1 double precision[], in_soc2 double precision[], in_soc3 double precision[], in_soc4 double precision[], in_soc5 double precision[], in_soc6 double precision[], in_soc7 double precision[], in_soc8 double precision[], in_rest jsonb[], bucket_stream integer[], bucket_start timestamptz[], add_count bigint[], add_running_ms bigint[], add_charging_ms bigint[], add_full_ms bigint[], add_cable_ms bigint[], add_heard_ms bigint[], add_known_ms bigint[], add_run_known_ms bigint[], add_out_mj bigint[], add_in_mj bigint[], add_charged_mj bigint[], add_run_out_mj bigint[], add_run_in_mj bigint[], add_distance_mm bigint[], add_carried_mm bigint[], add_unused_no_fix bigint[], add_unused_null_island bigint[], add_unused_jumps bigint[], add_speed_min double precision[], add_south double precision[], add_west double precision[], add_charging_current_min double precision[], add_charging_flag_min double precision[], add_speed_max double precision[], add_charge_watts double precision[], add_north double precision[], add_east double precision[], add_charging_current_max double precision[], add_charging_flag_max double precision[], new_packs text[], latest_stream integer[], latest_time timestamptz[], latest_heard timestamptz[], latest_signals json[], latest_left_out integer[], latest_track json[], latest_count integer[], latest_running_ms bigint[], latest_xmin text[]) returns text language plpgsql set plan_cache_mode=force_generic_plan set enable_seqscan=off set enable_nestloop=off set enable_mergejoin=off;
create function unordered_id(n bigint) returns integer language plpgsql;
