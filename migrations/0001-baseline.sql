-- The tables of Werkstroom 1.0. docs/schema.sql shows the schema after all migrations. This file never changes: a later change is a new
-- migration, which an update applies to existing databases. Functions and triggers are beside the code that calls them
-- (src/server/**/sql/). Tables of the schema `telemetry` have a copy in each shard (docs/decisions/0053-shards.md): the stream id is
-- first in every key, and nothing is unique without it.

-- Organizations, accounts, and how people sign in

create table organization (
  id integer generated always as identity primary key,
  name text not null unique,
  clean text not null,
  code text not null unique,
  is_active boolean not null default true,
  is_berende boolean not null default false,
  created_at timestamptz not null default now(),
  log_quota_told_on date,
  had_account boolean not null default false,
  requires_second_factor boolean not null default false,
  registration text not null default 'approval'
    constraint organization_registration check (registration in ('code', 'approval', 'invitation')),
  applicants_told_at timestamptz,
  address_key bytea,
  privacy jsonb not null default '{"routesFrom": "kijker", "viewerHours": null, "positionDays": null}',
  mails_report_files boolean not null default false
);
comment on table organization is 'A customer of the portal; the organization named admin administers it.';
comment on column organization.name is 'functional name: a lowercase slug';
comment on column organization.clean is 'display name';
comment on column organization.code is 'people enter this code to register';
comment on column organization.is_berende is 'customer of LMB logging';
comment on column organization.log_quota_told_on is 'day of the last alert that a quota of log files is nearly used';
comment on column organization.had_account is 'the first account ever becomes beheerder; later ones do not';
comment on column organization.requires_second_factor is 'beside the setting REQUIRE_SECOND_FACTOR';
comment on column organization.registration is 'code: the code admits; approval: a beheerder admits; invitation: only invited people';
comment on column organization.applicants_told_at is 'last mail that applicants wait for approval';
comment on column organization.address_key is 'sealed; key of the hashes in departed';
comment on column organization.privacy is 'who sees where machines were, and how long positions are kept (src/shared/domain/privacy.ts)';
comment on column organization.mails_report_files is 'mails with a report have its file attached';

create table account (
  id integer generated always as identity primary key,
  email text not null,
  password_hash text not null,
  organization_id integer not null references organization,
  created_at timestamptz not null default now(),
  role text not null default 'gebruiker'
    constraint account_role check (role in ('administrator', 'technicus', 'beheerder', 'gebruiker', 'kijker')),
  must_change_password boolean not null default false,
  name text,
  confirmed_at timestamptz,
  has_password boolean not null default true,
  must_confirm boolean not null default false,
  limit_projects integer[],
  limit_labels integer[],
  only_today boolean not null default false,
  constraint account_limit_lists check ((limit_projects is null) = (limit_labels is null)),
  constraint account_limit_role check (
    (limit_projects is null or role in ('gebruiker', 'kijker')) and (not only_today or role = 'kijker'))
);
create unique index account_email on account (lower(email));
comment on column account.email is 'as typed; compared in lower case';
comment on column account.password_hash is 'argon2id';
comment on column account.role is 'permissions: src/shared/domain/access.ts';
comment on column account.must_change_password is 'has the generated password of the first start; may only choose another';
comment on column account.name is 'shown instead of the e-mail address';
comment on column account.confirmed_at is 'the address was confirmed; mail about machines goes to it from then on';
comment on column account.has_password is 'false: signs in by the organization''s provider only, and is not asked for a password';
comment on column account.must_confirm is 'registered by code: until confirmed_at is set only the calls of the own account answer';
comment on column account.limit_projects is 'with limit_labels, what the person sees; null: no limit; deleted ids stay, as ids are never reused';
comment on column account.only_today is 'sees the present day only';

create table session (
  token_hash bytea primary key,
  account_id integer not null references account on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  id integer generated always as identity unique,
  last_used_at timestamptz not null default now(),
  proved_at timestamptz not null default now(),
  address text not null default '',
  user_agent text not null default ''
);
create index session_account on session (account_id);
comment on column session.token_hash is 'SHA-256 of the cookie''s random token';
comment on column session.id is 'names the session in answers; the token stays secret';
comment on column session.last_used_at is 'to the minute; an unused session ends';
comment on column session.proved_at is 'the password or a factor was given last';
comment on column session.address is 'of the last use';

create table ended_session (
  token_hash bytea primary key,
  account_id integer not null references account on delete cascade,
  expires_at timestamptz not null
);
create index ended_session_account on ended_session (account_id);
comment on table ended_session is 'Sessions that ended because their organization was disabled, until they would have expired: the next request gets the reason.';

create table password_reset (
  id uuid primary key,
  account_id integer not null references account on delete cascade,
  code_hash bytea not null,
  code_until timestamptz not null,
  tries_left smallint not null,
  token_hash bytea not null unique,
  link_until timestamptz not null,
  used_at timestamptz,
  is_handed_over boolean not null default false
);
create index password_reset_account on password_reset (account_id);
comment on table password_reset is 'Ways to a new password. An account may have several; using one ends all of them.';
comment on column password_reset.id is 'of the job that mails it, so that a retry replaces it';
comment on column password_reset.code_hash is 'argon2id, salted by the address';
comment on column password_reset.tries_left is 'of the code';
comment on column password_reset.token_hash is 'SHA-256 of the link''s token';
comment on column password_reset.used_at is 'the account got another password, by this or another way';
comment on column password_reset.is_handed_over is 'an administrator handed over the link: it does not prove who reads mail of the address';

create table known_device (
  account_id integer not null references account on delete cascade,
  token_hash bytea not null,
  last_used_at timestamptz not null default now(),
  primary key (account_id, token_hash)
);
comment on table known_device is 'Random tokens of browsers that signed in to an account: their attempts are counted separately from those of strangers.';
comment on column known_device.token_hash is 'SHA-256';

create table factor (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  kind text not null check (kind in ('passkey', 'totp')),
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  disabled_at timestamptz,
  credential_id text unique,
  public_key bytea,
  counter bigint,
  transports text[],
  secret bytea,
  last_step bigint,
  check (case kind when 'passkey' then credential_id is not null and public_key is not null and counter is not null
    and transports is not null and secret is null
    else secret is not null and last_step is not null and credential_id is null end)
);
create index factor_account on factor (account_id);
comment on table factor is 'Second factors: passkeys and authenticator apps (TOTP).';
comment on column factor.name is 'given by the person';
comment on column factor.disabled_at is 'a passkey that was copied: it stays, and signs no one in';
comment on column factor.credential_id is 'passkey: base64url, as browsers give it';
comment on column factor.public_key is 'passkey: COSE';
comment on column factor.counter is 'passkey: of the last use; 0 if the device keeps none';
comment on column factor.transports is 'passkey: how browsers reach it';
comment on column factor.secret is 'totp: sealed';
comment on column factor.last_step is 'totp: steps of 30 s since 1970; codes of this step or earlier are used up';

create table recovery_code (
  account_id integer not null references account on delete cascade,
  code_hash bytea not null,
  salt bytea not null,
  primary key (account_id, code_hash)
);
comment on column recovery_code.code_hash is 'argon2id';
comment on column recovery_code.salt is 'the same for all codes of an account';

create table sign_in_step (
  token_hash bytea primary key,
  account_id integer references account on delete cascade,
  password_hash text,
  challenge text,
  tries_left smallint not null,
  expires_at timestamptz not null,
  issuer text,
  subject text,
  constraint sign_in_step_identity check ((issuer is null) = (subject is null) and (issuer is null or account_id is not null))
);
create index sign_in_step_account on sign_in_step (account_id);
create index sign_in_step_end on sign_in_step (expires_at);
comment on table sign_in_step is 'Sign-ins between the password and the second factor, and requests for a passkey; a cookie identifies them.';
comment on column sign_in_step.token_hash is 'SHA-256 of the cookie''s random token';
comment on column sign_in_step.account_id is 'null: a passkey without a password before it';
comment on column sign_in_step.password_hash is 'the one that matched';
comment on column sign_in_step.challenge is 'signed by a passkey, once';
comment on column sign_in_step.issuer is 'with subject, an identity that is linked to the account after the second factor';

create table invitation (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  email text,
  role text not null,
  invited_by integer references account on delete set null,
  expires_at timestamptz not null,
  token_hashes bytea[] not null default '{}',
  ended_as text constraint invitation_ended_as check (ended_as in ('accepted', 'revoked')),
  created_at timestamptz not null default now(),
  handed_hash bytea,
  limit_projects integer[],
  limit_labels integer[],
  only_today boolean not null default false,
  constraint invitation_email check ((email is null) = (ended_as is not null)),
  constraint invitation_limit_lists check ((limit_projects is null) = (limit_labels is null)),
  constraint invitation_limit_role check (
    (limit_projects is null or role in ('gebruiker', 'kijker')) and (not only_today or role = 'kijker'))
);
create unique index invitation_email on invitation (organization_id, lower(email));
create index invitation_invited_by on invitation (invited_by);
comment on column invitation.email is 'as typed; null once the invitation has ended';
comment on column invitation.token_hashes is 'SHA-256; one for each attempt to mail it';
comment on column invitation.handed_hash is 'SHA-256 of the token that the inviter handed over, also one of token_hashes: it does not prove who reads mail of the address';
comment on column invitation.limit_projects is 'limits of the account, as in the table account';

create table applicant (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  email text not null,
  password_hash text not null,
  asked_at timestamptz not null default now(),
  issuer text,
  subject text
);
create unique index applicant_email on applicant (lower(email), organization_id);
create index applicant_organization on applicant (organization_id);
comment on table applicant is 'People who registered and wait for approval; they have no account yet.';
comment on column applicant.email is 'as typed; compared in lower case';
comment on column applicant.password_hash is 'argon2id';
comment on column applicant.issuer is 'with subject, the identity at the organization''s provider; the account is linked to it';

create table departed (
  organization_id integer not null references organization on delete cascade,
  address_hash bytea not null,
  primary key (organization_id, address_hash)
);
comment on table departed is 'People who were deleted or refused, and cannot register again with the code.';
comment on column departed.address_hash is 'of the e-mail address, under organization.address_key';

create table oidc_provider (
  organization_id integer primary key references organization on delete cascade,
  issuer text not null,
  domain text not null unique,
  client_id text not null,
  client_secret bytea not null,
  is_only boolean not null default false
);
comment on table oidc_provider is 'Identity provider of an organization (OpenID Connect).';
comment on column oidc_provider.issuer is 'as in its metadata and tokens';
comment on column oidc_provider.domain is 'of its people''s addresses; lower case, as in DNS';
comment on column oidc_provider.client_secret is 'sealed';
comment on column oidc_provider.is_only is 'the organization''s people sign in by the provider only';

create table account_identity (
  account_id integer primary key references account on delete cascade,
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null default now(),
  unique (issuer, subject)
);
comment on table account_identity is 'Identity of an account at its organization''s provider; an e-mail address alone never identifies a person.';

create table oidc_attempt (
  token_hash bytea primary key,
  organization_id integer not null references oidc_provider on delete cascade,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  expires_at timestamptz not null,
  session_hash bytea references session on delete cascade on update cascade,
  invitation_hash bytea
);
create index oidc_attempt_organization on oidc_attempt (organization_id);
create index oidc_attempt_session on oidc_attempt (session_hash);
create index oidc_attempt_end on oidc_attempt (expires_at);
comment on table oidc_attempt is 'Sign-ins and links on their way to a provider and back; a cookie identifies them, and they are valid once.';
comment on column oidc_attempt.token_hash is 'SHA-256 of the cookie''s random token';
comment on column oidc_attempt.session_hash is 'of a person who links their account; ends with the session';
comment on column oidc_attempt.invitation_hash is 'SHA-256 of the token of the invitation that is being accepted';

create table oidc_arrival (
  token_hash bytea primary key,
  account_id integer not null references account on delete cascade,
  issuer text not null,
  subject text not null,
  expires_at timestamptz not null
);
create index oidc_arrival_account on oidc_arrival (account_id);
create index oidc_arrival_end on oidc_arrival (expires_at);
comment on table oidc_arrival is 'People back from the provider whose confirmed address has an unlinked account: its password links both.';
comment on column oidc_arrival.token_hash is 'SHA-256 of the cookie''s random token';

create table rate_limit (
  key text primary key,
  window_start timestamptz not null,
  count integer not null
);
create index rate_limit_window on rate_limit (window_start);
comment on table rate_limit is 'Attempts per account and address in windows of 15 minutes, for all processes together (platform/sql/count-try.sql).';

-- The log (Logboek)

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text,
  action text not null,
  subject text not null,
  data jsonb not null default '{}',
  actor_id integer,
  actor_organization_id integer,
  address text not null default '',
  device text not null default '',
  request_id text not null default '',
  kind text not null,
  account_id integer,
  stream_id integer,
  organization_id integer,
  aside jsonb not null default '{}',
  changes jsonb not null default '{}',
  account_organization_id integer,
  constraint audit_names_nobody check (actor not like '%@%' and subject not like '%@%')
);
create index audit_at on audit (at, id);
create index audit_kind on audit (kind, at, id);
create index audit_organization on audit (organization_id, at, id);
create index audit_organization_kind on audit (organization_id, kind, at, id);
create index audit_actor on audit (actor_id, at, id) where actor_id is not null;
create index audit_account on audit (account_id, at, id) where account_id is not null;
create index audit_stream on audit (stream_id, at, id) where stream_id is not null;
create index audit_subject on audit (lower(subject), stream_id) where stream_id is not null;
comment on table audit is 'Log of actions. People are named by id, so that erasing a person changes no row. The application only inserts rows; expire_log() deletes old ones.';
comment on column audit.actor is 'the program, if it was no person: ''first start'', ''demo''';
comment on column audit.action is 'noun.verb: ''organization.create''';
comment on column audit.subject is 'serial number, loggerid, or functional name of an organization; empty for accounts';
comment on column audit.actor_id is 'account, whose name is shown as long as it exists';
comment on column audit.actor_organization_id is 'organization of actor_id at that time';
comment on column audit.address is 'network address of the request';
comment on column audit.device is 'device of the request, in words';
comment on column audit.request_id is 'identifies the request''s lines in the server''s log';
comment on column audit.kind is 'of LOG_KINDS in src/shared/domain/log-text.ts';
comment on column audit.account_id is 'the account that the row is about';
comment on column audit.stream_id is 'the machine or LMB logger that the row is about; subject is its number at that time';
comment on column audit.organization_id is 'the organization whose log has the row; null: administrators only';
comment on column audit.aside is 'for administrators only: names things of other organizations';
comment on column audit.changes is 'name to [before, after], of changed values only';
comment on column audit.account_organization_id is 'organization of account_id at that time; null: none, or unknown';

create table refusal (
  minute timestamptz not null,
  network text not null,
  action text not null,
  account_id integer not null default 0,
  stranger text not null default '',
  first_at timestamptz not null default now(),
  address text not null,
  device text not null,
  call text not null,
  count integer not null,
  primary key (minute, network, action, account_id, stranger)
);
comment on table refusal is 'Refusals of the present minute, counted: after the minute each becomes one row of the log.';
comment on column refusal.network is 'of the address, as rate limits count addresses';
comment on column refusal.account_id is '0: no existing account';
comment on column refusal.stranger is 'keyed hash of an e-mail address that has no account';
comment on column refusal.address is 'of the first refusal, as are device and call';

-- Machines, and who had them when

create table stream (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('machine', 'logger')),
  serial text not null,
  alias text not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  purged_at timestamptz
);
create unique index stream_serial on stream (lower(serial)) where deleted_at is null;
comment on table stream is 'The history of one machine or one LMB logger.';
comment on column stream.id is 'never reused';
comment on column stream.serial is 'serial number of a machine, loggerid of an LMB logger; unique regardless of case';
comment on column stream.purged_at is 'its readings are being removed: it cannot be restored';

create table machine (
  stream_id integer primary key references stream,
  brand text not null,
  model text not null,
  macaddress text not null default '',
  batteries jsonb not null default '[]',
  accessories jsonb not null default '[]',
  initial_hours double precision not null default 0,
  reference_stream_id integer references stream,
  takes_reference boolean not null default false,
  version integer not null default 1,
  planned_logger text,
  registration_number text not null default '',
  seb_category text check (seb_category in ('A', 'B', 'C')),
  power_kw double precision check (power_kw > 0)
);
comment on column machine.batteries is '[{capacity: kWh or null}]; battery n is element n - 1';
comment on column machine.accessories is '[{naam, nummer}]';
comment on column machine.reference_stream_id is 'machine whose data definition was copied';
comment on column machine.takes_reference is 'chosen while no logger is bound: the next one gets the reference''s definition';
comment on column machine.version is 'of this row: detects two administrators who save at once';
comment on column machine.planned_logger is 'named when the machine was created; used until a logger is bound';
comment on column machine.registration_number is 'licence plate, or its code at RDW';
comment on column machine.power_kw is 'continuous power';

create table machine_file (
  stream_id integer not null references stream on delete cascade,
  kind text not null check (kind in ('photo', 'manual')),
  name text not null,
  content_type text not null,
  size integer not null,
  hash text not null,
  body bytea not null,
  created_at timestamptz not null default now(),
  primary key (stream_id, kind)
);
alter table machine_file alter column body set storage external;
comment on table machine_file is 'Photo and manual of a machine: in the database, so that its backup includes them and every process serves them.';
comment on column machine_file.name is 'a safe file name, under which browsers save it';
comment on column machine_file.size is 'bytes of body';
comment on column machine_file.hash is 'SHA-256 of body, hexadecimal: part of its address';
comment on column machine_file.body is 'WebP and PDF are compressed: stored as they are, so that reads need no decompression';

create table ownership (
  id integer generated always as identity primary key,
  stream_id integer not null references stream,
  organization_id integer not null references organization,
  valid_from timestamptz not null default '-infinity',
  valid_to timestamptz not null default 'infinity',
  check (valid_from < valid_to)
);
create unique index ownership_current on ownership (stream_id) where valid_to = 'infinity';
create index ownership_organization on ownership (organization_id, stream_id);
comment on table ownership is 'Time in which a machine is an organization''s: it sees the history of this time only. The first owner''s time has no beginning.';

create table label (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  colour text not null
);
create unique index label_name on label (organization_id, lower(name));
comment on table label is 'Labels that an organization gives its machines (docs/decisions/0038-labels-end-with-the-owner.md).';
comment on column label.colour is 'of src/shared/domain/labels.ts';

create table machine_label (
  label_id integer not null references label on delete cascade,
  stream_id integer not null references stream on delete cascade,
  primary key (label_id, stream_id)
);
create index machine_label_stream on machine_label (stream_id);

create table favourite (
  account_id integer not null references account on delete cascade,
  stream_id integer not null references stream on delete cascade,
  primary key (account_id, stream_id)
);
create index favourite_stream on favourite (stream_id);

-- Data definitions and loggers

create table definition (
  id integer generated always as identity primary key,
  stream_id integer references stream,
  mapping jsonb not null default '{"signals": [], "keep": []}',
  created_at timestamptz not null default now(),
  made_by integer,
  absent jsonb not null default '{}'
);
create index definition_stream on definition (stream_id);
comment on table definition is 'A mapping and a DBC per CAN bus. Each writer has its own copy, so that history keeps its definition; earlier definitions of a stream stay.';
comment on column definition.made_by is 'account, which may be deleted; null: unknown, or the portal itself';
comment on column definition.absent is 'values of a snapshot that mean none, by signal, derived from DBC and mapping (telemetry/decode/j1939/absent-values.ts)';

create table definition_bus (
  definition_id integer not null references definition on delete cascade,
  bus smallint not null check (bus between 0 and 3),
  bitrate integer not null,
  name text not null,
  dbc text not null,
  digest text not null generated always as (md5(dbc)) stored,
  j1939 text not null default 'none' check (j1939 in ('none', 'dbc', 'all', 'some')),
  j1939_messages text[] not null default '{}',
  primary key (definition_id, bus)
);
alter table stream add column next_definition_id integer references definition on delete set null;
comment on column stream.next_definition_id is 'uploaded while no logger is bound: definition of the next logger; null: that of the last one';
comment on column definition_bus.bitrate is 'bit/s';
comment on column definition_bus.digest is 'compares DBC files without reading them';
comment on column definition_bus.j1939 is 'which messages of the bus are SAE J1939';
comment on column definition_bus.j1939_messages is 'for ''some'': identifiers as in the definition (''0x0CF004FE'')';

create table writer (
  id integer generated always as identity primary key,
  stream_id integer not null references stream,
  logger_serial text not null,
  definition_id integer references definition,
  valid_from timestamptz not null default '-infinity',
  valid_to timestamptz not null default 'infinity',
  created_at timestamptz not null default now(),
  kind text not null default 'rexgen',
  check (valid_from < valid_to),
  constraint writer_logger_serial_check check (
    kind = 'rexgen' and logger_serial ~ '^[0-9]{7}$' or kind = 'canedge' and logger_serial ~ '^[0-9A-F]{8}$'
  )
);
create unique index writer_current_stream on writer (stream_id) where valid_to = 'infinity';
create unique index writer_current_logger on writer (logger_serial) where valid_to = 'infinity';
create index writer_logger on writer (logger_serial, valid_from);
comment on table writer is 'Binding of a logger to a stream. A reading belongs to the binding that was valid at its time. A logger''s first binding has no beginning, so that earlier recordings count.';
comment on column writer.logger_serial is 'ReXgen: 7 digits; CANedge: its device id, 8 hexadecimal digits';

create table former_definition (
  writer_id integer not null references writer on delete cascade,
  until timestamptz not null,
  definition_id integer not null references definition,
  primary key (writer_id, until)
);
comment on table former_definition is 'Definitions that a binding had before its present one (writer.definition_id): a log file is decoded by the definition of its time.';

create table former_logger (
  logger_serial text primary key,
  until timestamptz not null
);
comment on table former_logger is 'Loggers whose bindings were removed with a machine: their recordings until then belong to no other machine (INGEST-06).';

create table writer_key (
  access_key text primary key,
  writer_id integer not null references writer,
  secret bytea not null,
  created_at timestamptz not null default now(),
  first_used_at timestamptz,
  retired_at timestamptz,
  ended_with_binding boolean not null default false,
  log_day date,
  log_bytes bigint not null default 0,
  replace_by timestamptz
);
create index writer_key_writer on writer_key (writer_id);
comment on table writer_key is 'Access keys of loggers at the upload endpoint.';
comment on column writer_key.secret is 'sealed';
comment on column writer_key.retired_at is 'refused from then on';
comment on column writer_key.ended_with_binding is 'refused because the binding ended: valid again when the binding is restored';
comment on column writer_key.log_day is 'in Europe/Amsterdam';
comment on column writer_key.log_bytes is 'of log files that were stored with the key on log_day';
comment on column writer_key.replace_by is 'sold with its machine: from then on its uploads go to quarantine';

create table unknown_key (
  access_key text primary key,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  count bigint not null default 1,
  folder text not null default ''
);
comment on table unknown_key is 'Well-formed uploads that were signed with an unknown key.';
comment on column unknown_key.folder is 'of the last upload that named one, without the bucket';

create table writer_health (
  writer_id integer primary key references writer,
  last_seen_at timestamptz,
  last_error text,
  last_error_at timestamptz,
  status jsonb,
  status_at timestamptz,
  guid_since timestamptz,
  counters jsonb not null default '{}',
  refused_at timestamptz,
  refusal text
);
comment on table writer_health is 'Counters and last messages of a logger, of all processes together.';
comment on column writer_health.status is 'the last Status.json';
comment on column writer_health.guid_since is 'since when the logger reports the configuration of that Status.json';
comment on column writer_health.counters is 'name to count (telemetry/counters.ts)';
comment on column writer_health.refused_at is 'of the last refused upload';
comment on column writer_health.refusal is 'S3 error code and key of that object: ''code: key''';

create table logger_event (
  id bigint generated always as identity primary key,
  writer_id integer not null references writer,
  at timestamptz not null,
  kind text not null,
  detail text not null
);
create index logger_event_writer on logger_event (writer_id, id desc);
comment on table logger_event is 'The last events of each binding that no other table holds (writers/sql/note-logger-events.sql).';
comment on column logger_event.kind is 'of writers/logger-events.ts';

create table logger_network (
  stream_id integer primary key references stream on delete cascade,
  kind text not null check (kind in ('mobile', 'wifi')),
  apn text not null default '',
  wifi_ssid text not null default '',
  sim_pin bytea,
  wifi_password bytea,
  updated_at timestamptz not null default now()
);
comment on table logger_network is 'How a stream''s logger reaches the portal; empty values come from the LOGGER_* settings.';
comment on column logger_network.sim_pin is 'sealed';
comment on column logger_network.wifi_password is 'sealed';

create table logger_config (
  id integer generated always as identity primary key,
  writer_id integer not null references writer,
  guid text not null,
  access_key text not null,
  definition_id integer,
  xml bytea,
  created_at timestamptz not null,
  downloaded_at timestamptz,
  address text not null,
  settings_digest text not null
);
create index logger_config_writer on logger_config (writer_id, id desc);
comment on table logger_config is 'Every config.xml that was made; only the newest of a writer keeps its text.';
comment on column logger_config.guid is 'lower case; the logger reports it in Status.json';
comment on column logger_config.xml is 'sealed';
comment on column logger_config.address is 'PUBLIC_URL at that time';
comment on column logger_config.settings_digest is 'of all settings at that time (writers/configuration-settings.ts): outdated when they change';

-- Uploads: objects of loggers, and what could not be read

create table object (
  id bigint generated always as identity primary key,
  logger_serial text not null,
  key text not null,
  size bigint not null,
  etag text not null,
  content_type text not null,
  metadata jsonb not null default '{}',
  modified_at timestamptz not null default now(),
  log_stored_at timestamptz,
  outcome text not null default 'stored',
  body bytea,
  is_withheld boolean not null default false,
  bus_report jsonb,
  log_summary jsonb,
  unique (logger_serial, key)
) with (fillfactor = 50);
create index object_logs on object (log_stored_at) where log_stored_at is not null;
comment on table object is 'Last objects of each logger. Newer documents replace older ones; log files are deleted by age. A document is replaced every few seconds, in place (HOT): its page has room, and no index or index condition has a column that changes then.';
comment on column object.key is 'without the bucket';
comment on column object.etag is 'hexadecimal MD5 of the content';
comment on column object.metadata is 'x-amz-meta-*';
comment on column object.log_stored_at is 'null: a document';
comment on column object.outcome is 'result of processing, in words for an administrator';
comment on column object.body is 'of a document; a log file is in object_chunk';
comment on column object.is_withheld is 'log file of a key after its replace_by: decoding again leaves it out until an administrator accepts it';
comment on column object.bus_report is 'J1939 sources and absent values (telemetry/decode/j1939/bus-report.ts); null: no J1939, or not decoded';
comment on column object.log_summary is 'LogSummary of src/shared/contract/log-files.ts; null: not decoded';

create table object_chunk (
  object_id bigint not null references object on delete cascade,
  n integer not null,
  data bytea not null,
  primary key (object_id, n)
);
alter table object_chunk alter column data set storage external;

create table stored_log (
  logger_serial text primary key,
  bytes bigint not null
) with (fillfactor = 50);
comment on table stored_log is 'Size of the stored log files of each logger, for quotas (telemetry/sql/count-stored-logs.sql).';

create table multipart_upload (
  id text primary key,
  writer_id integer not null references writer on delete cascade,
  key text not null,
  content_type text not null,
  metadata jsonb not null,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  etag text
);
create index multipart_upload_writer on multipart_upload (writer_id);
comment on table multipart_upload is 'Objects that arrive in parts (docs/decisions/0049-uploads-in-parts.md), until they are complete; for 24 hours at most (upkeep.ts).';
comment on column multipart_upload.id is 'random: the client''s upload id';
comment on column multipart_upload.writer_id is 'of the key that began it';
comment on column multipart_upload.key is 'of the object, without the bucket';
comment on column multipart_upload.metadata is 'x-amz-meta-*';
comment on column multipart_upload.completed_at is 'the object is stored and the parts are deleted; the answer can be repeated';
comment on column multipart_upload.etag is 'of the complete object';

create table upload_part (
  id bigint generated always as identity primary key,
  upload_id text not null references multipart_upload on delete cascade,
  number integer not null,
  size bigint not null,
  etag text not null,
  stored_at timestamptz not null default now(),
  unique (upload_id, number)
);
comment on column upload_part.etag is 'hexadecimal MD5 of the content';

create table part_chunk (
  part_id bigint not null references upload_part on delete cascade,
  n integer not null,
  data bytea not null,
  primary key (part_id, n)
);
alter table part_chunk alter column data set storage external;

create table quarantine (
  id bigint generated always as identity primary key,
  logger_serial text not null,
  key text not null,
  received_at timestamptz not null default now(),
  reason text not null,
  size bigint not null,
  body bytea,
  held_from timestamptz,
  held_to timestamptz,
  held_count integer,
  object_id bigint
);
create index quarantine_logger on quarantine (logger_serial, id desc);
create index quarantine_received on quarantine (received_at);
comment on table quarantine is 'Signed uploads, or readings in them, that cannot become history. Limited per logger.';
comment on column quarantine.body is 'the first 64 KiB; the whole body if readings are held';
comment on column quarantine.held_from is 'time of the first held reading: from before the logger''s present binding, for a machine that another organization has now; null: none is held';
comment on column quarantine.held_to is 'time of the last one';
comment on column quarantine.object_id is 'of a log file, which may be deleted';

create table import_progress (
  fingerprint text primary key,
  resume jsonb not null,
  finished boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table import_progress is 'Progress of `npm run import` in a file, so that it can resume.';
comment on column import_progress.resume is 'LogResume of telemetry/decode';

create table redecoding (
  stream_id integer primary key references stream on delete cascade,
  writer_id integer not null references writer on delete cascade,
  definition_id integer not null references definition on delete cascade,
  bindings jsonb not null,
  from_time timestamptz not null,
  preview boolean not null,
  started_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  files_done integer not null default 0,
  files integer not null default 0,
  findings text[] not null default '{}',
  outcome jsonb not null default '{"readings": {"added": 0, "changed": 0, "removed": 0}, "signals": {}}',
  started_by integer,
  covers jsonb not null default '[]'
);
comment on table redecoding is 'The last ''Decodeer logbestanden opnieuw'' of each stream, or a preview of it.';
comment on column redecoding.definition_id is 'in force from from_time on';
comment on column redecoding.bindings is '[{loggerSerial, bound, former: [{definitionId, from, to}]}], ms';
comment on column redecoding.started_at is 'with the stream, identifies this one';
comment on column redecoding.findings is 'in Dutch: why some of the files become no history';
comment on column redecoding.started_by is 'account, which may be deleted; null: unknown';
comment on column redecoding.covers is 'files that are read, by logger';

create table telemetry.redecoded (
  stream_id integer not null,
  time timestamptz not null,
  n integer not null,
  definition_id integer not null,
  signals jsonb not null,
  primary key (stream_id, time, n)
);
comment on table telemetry.redecoded is 'Readings that the log files of a stream have by each of its definitions, until they replace the stored readings.';
comment on column telemetry.redecoded.n is 'in the order of delivery';

-- Readings, and data derived from each bucket of 5 minutes

create table telemetry.reading (
  stream_id integer not null,
  time timestamptz not null,
  latitude double precision,
  longitude double precision,
  motor_speed double precision,
  charging_current double precision,
  charging_voltage double precision,
  battery_current double precision,
  battery_voltage double precision,
  speed double precision,
  machinestatus double precision,
  spoor double precision,
  spoorstand double precision,
  is_charging double precision,
  soc1 double precision,
  soc2 double precision,
  soc3 double precision,
  soc4 double precision,
  rest jsonb,
  soc5 double precision,
  soc6 double precision,
  soc7 double precision,
  soc8 double precision,
  primary key (stream_id, time)
) partition by range (time);
create table telemetry.reading_default partition of telemetry.reading default;
comment on table telemetry.reading is 'Readings of open weeks, and changes of readings in files; weekly partitions (telemetry/sql/weeks.sql).';
comment on column telemetry.reading.time is 'whole milliseconds';
comment on column telemetry.reading.motor_speed is 'rpm';
comment on column telemetry.reading.charging_current is 'A';
comment on column telemetry.reading.charging_voltage is 'V';
comment on column telemetry.reading.battery_current is 'A, positive while discharging';
comment on column telemetry.reading.battery_voltage is 'V';
comment on column telemetry.reading.speed is 'km/h';
comment on column telemetry.reading.is_charging is 'the largest IsCharging* flag';
comment on column telemetry.reading.soc1 is '%, by battery number';
comment on column telemetry.reading.rest is 'every other signal under the logger''s name';

create table telemetry.reading_file (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  readings integer not null,
  chunks jsonb not null,
  content bytea not null,
  is_merged boolean not null,
  sampled bytea,
  sampled_chunks jsonb,
  sampled_readings integer,
  primary key (stream_id, from_time)
);
create index reading_file_unmerged on telemetry.reading_file (stream_id, from_time) where not is_merged;
alter table telemetry.reading_file alter column content set storage external;
alter table telemetry.reading_file alter column sampled set storage external;
comment on table telemetry.reading_file is 'Readings of one stream and one closed week (Monday, UTC) as a Parquet file (docs/decisions/0080-parquet-files.md). Times of files do not overlap. A row of `reading` replaces the reading at its time.';
comment on column telemetry.reading_file.from_time is 'of the first reading';
comment on column telemetry.reading_file.to_time is 'of the last reading';
comment on column telemetry.reading_file.chunks is 'by column: its first byte, its length, 1 if a reading has no value, and its CRC-32';
comment on column telemetry.reading_file.content is 'stored without compression, so that a column is read without the others';
comment on column telemetry.reading_file.is_merged is 'false: an upload into a closed week, which upkeep merges with its neighbours';
comment on column telemetry.reading_file.sampled is 'a second Parquet file: the first value of each column per 30 s, for charts and paths (docs/decisions/0081-sampled-readings.md); null if it would not be small';

create table telemetry.rollup (
  stream_id integer not null,
  bucket timestamptz not null,
  count integer not null,
  running_ms bigint not null,
  out_mj bigint not null,
  in_mj bigint not null,
  charged_mj bigint not null,
  distance_mm bigint not null,
  speed_min double precision,
  speed_max double precision,
  charging_ms bigint not null,
  cable_ms bigint not null,
  heard_ms bigint not null,
  known_ms bigint not null,
  run_known_ms bigint not null,
  run_out_mj bigint not null,
  run_in_mj bigint not null,
  packs double precision[],
  full_ms bigint not null,
  charge_watts double precision,
  south double precision,
  west double precision,
  north double precision,
  east double precision,
  charging_current_min double precision not null,
  charging_current_max double precision not null,
  charging_flag_min double precision not null,
  charging_flag_max double precision not null,
  carried_mm bigint not null,
  unused_no_fix bigint not null,
  unused_null_island bigint not null,
  unused_jumps bigint not null,
  primary key (stream_id, bucket)
) partition by range (bucket);
create table telemetry.rollup_default partition of telemetry.rollup default;
create index rollup_carried on telemetry.rollup (stream_id, bucket) where carried_mm > 0;
comment on index rollup_carried is 'Few buckets have a transport: its list reads only these';
comment on table telemetry.rollup is 'Figures of each bucket of 5 minutes (docs/figures.md); weekly partitions.';
comment on column telemetry.rollup.bucket is 'start of the 5 minutes';
comment on column telemetry.rollup.count is 'readings';
comment on column telemetry.rollup.out_mj is 'energy out of the battery, millijoule';
comment on column telemetry.rollup.in_mj is 'fed back while not charging, millijoule';
comment on column telemetry.rollup.speed_min is 'km/h: charts of long times show peaks too, although they do not read every reading';
comment on column telemetry.rollup.cable_ms is 'running on the cable';
comment on column telemetry.rollup.heard_ms is 'covered by readings';
comment on column telemetry.rollup.known_ms is 'of heard_ms: BatteryCurrent gives the energy';
comment on column telemetry.rollup.run_known_ms is 'of known_ms: running, off the cable';
comment on column telemetry.rollup.packs is 'per battery 4 elements: lowest, highest, sum in thousandths of a percent, number of values';
comment on column telemetry.rollup.full_ms is 'charging although full';
comment on column telemetry.rollup.charge_watts is 'highest charging power';
comment on column telemetry.rollup.south is 'box around all positions';
comment on column telemetry.rollup.charging_current_min is 'A; infinite: no value';
comment on column telemetry.rollup.charging_flag_min is 'infinite: no value';
comment on column telemetry.rollup.carried_mm is 'distance without driving';
comment on column telemetry.rollup.unused_no_fix is 'positions that do not count, by reason';

create table telemetry.latest (
  stream_id integer primary key,
  time timestamptz not null default '-infinity',
  signals json not null default '{}',
  names_left_out bigint not null default 0,
  updated_at timestamptz not null default clock_timestamp(),
  total_count bigint not null default 0,
  total_running_ms bigint not null default 0,
  track json not null default '{}',
  heard_at timestamptz not null default '-infinity',
  recompute_from timestamptz
) with (fillfactor = 50);
comment on table telemetry.latest is 'The newest state of each stream: one row, created with the stream. Its row lock orders the batches of a stream. It has the values of earlier readings that later ones need, so that storing reads no partition. An update is in place (HOT).';
comment on column telemetry.latest.time is 'of the newest reading';
comment on column telemetry.latest.signals is 'name to [value, time in ms]: the newest of each; json, because jsonb would be parsed and sorted';
comment on column telemetry.latest.names_left_out is 'number of times that a name had no room in signals';
comment on column telemetry.latest.total_count is 'readings ever; outlives partitions';
comment on column telemetry.latest.track is 'values of earlier readings that later ones need (src/shared/domain/figures.ts)';
comment on column telemetry.latest.heard_at is 'highest of min(time of a reading, time of receipt): the time of live data';
comment on column telemetry.latest.recompute_from is 'the roll-up must be recomputed from here on; null: it is up to date';

create table removed_position (
  stream_id integer primary key references stream on delete cascade,
  before timestamptz not null
);
comment on table removed_position is 'Time before which a stream''s positions were removed from its readings. Late readings set it back.';

-- Fault codes that ECUs broadcast (DM1 of SAE J1939-73)

create table telemetry.dm1_day (
  stream_id integer not null,
  day integer not null,
  bus smallint not null,
  source smallint not null,
  states jsonb not null,
  digest jsonb not null,
  primary key (stream_id, day, bus, source)
);
comment on table telemetry.dm1_day is 'One row per ECU and day (UTC), however many DM1 it sent.';
comment on column telemetry.dm1_day.day is 'days since 1970-01-01';
comment on column telemetry.dm1_day.states is 'what the ECU reported, and when (dm1-days.ts)';
comment on column telemetry.dm1_day.digest is 'input of fault_episode (episodes.ts)';

create table telemetry.fault_episode (
  stream_id integer not null,
  since timestamptz not null,
  bus smallint not null,
  source smallint not null,
  spn integer not null,
  fmi smallint not null,
  is_old_layout boolean not null,
  last_seen timestamptz not null,
  over_at timestamptz,
  lamp text check (lamp in ('stop', 'warning', 'protect', 'malfunction')),
  occurrences smallint,
  primary key (stream_id, since, bus, source, spn, fmi, is_old_layout)
);
create index fault_episode_active on telemetry.fault_episode (stream_id) where over_at is null;
create index fault_episode_over on telemetry.fault_episode (over_at);
comment on table telemetry.fault_episode is 'Times in which an ECU reported a code; derived from dm1_day.';
comment on column telemetry.fault_episode.over_at is 'null: no DM1 without the code came since';

-- Erased readings, and customers that leave

create table erasure (
  id integer generated always as identity primary key,
  stream_id integer not null references stream on delete cascade,
  from_time timestamptz not null,
  to_time timestamptz not null,
  signal text,
  made_by integer,
  made_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'undoing', 'undone')),
  done_until timestamptz not null default '-infinity',
  readings integer not null default 0,
  values bigint not null default 0,
  dm1 jsonb,
  check (from_time < to_time)
);
create index erasure_stream on erasure (stream_id, made_at);
comment on table erasure is 'Readings that an administrator erased; kept for 30 days, so that the erasure can be undone.';
comment on column erasure.signal is 'null: all signals';
comment on column erasure.made_by is 'account, which may be deleted';
comment on column erasure.done_until is 'earlier readings are erased';
comment on column erasure.readings is 'readings of which something was erased';
comment on column erasure.values is 'erased values';
comment on column erasure.dm1 is 'erased fault codes, so that they can be restored';

create table telemetry.erased_reading (
  stream_id integer not null,
  time timestamptz not null,
  erasure_id integer not null,
  signals jsonb not null,
  primary key (stream_id, erasure_id, time)
);

create table leaving (
  organization_id integer primary key references organization on delete cascade,
  started_at timestamptz not null,
  remove_from timestamptz not null,
  removing_since timestamptz,
  was_active boolean not null,
  stream_ids integer[] not null,
  owned_ids integer[] not null default '{}',
  logger_serials text[] not null default '{}'
);
comment on table leaving is 'Organizations that leave the portal: disabled at once; their data are removed after the grace period.';
comment on column leaving.started_at is 'its machines were deleted and its loggers refused then';
comment on column leaving.remove_from is 'upkeep removes its data from then on';
comment on column leaving.removing_since is 'null: it can still be cancelled';
comment on column leaving.stream_ids is 'machines and LMB loggers that it had at started_at';
comment on column leaving.owned_ids is 'streams that it had then or earlier: the final scan looks for them';
comment on column leaving.logger_serials is 'loggers that reported for them';

create table erased_period (
  ownership_id integer primary key references ownership on delete cascade,
  asked_at timestamptz not null default now(),
  erased_at timestamptz
);
comment on table erased_period is 'Ownerships whose history is to be removed, while the rest of the stream stays.';
comment on column erased_period.erased_at is 'null: upkeep is removing it';

create table erased_hours (
  stream_id integer not null references stream on delete cascade,
  until timestamptz not null,
  running_ms bigint not null,
  primary key (stream_id, until)
);
comment on table erased_hours is 'Running hours of readings that were erased with a former owner''s period: the hour meter of the machine keeps them.';
comment on column erased_hours.until is 'end of the erased time';

-- Projects and terreinen

create table project (
  id integer generated always as identity primary key,
  organization_id integer not null references organization,
  name text not null,
  number text not null default '',
  client text not null default '',
  first_day date not null,
  last_day date,
  areas jsonb not null default '[]',
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  version integer not null default 1,
  check (last_day >= first_day)
);
create index project_organization on project (organization_id);
comment on column project.client is 'opdrachtgever';
comment on column project.first_day is 'in Amsterdam';
comment on column project.last_day is 'null: no end yet';
comment on column project.areas is 'Area[] of src/shared/domain/area.ts';
comment on column project.deleted_at is 'kept for reports that name it';
comment on column project.version is 'detects two people who save at once';

create table assignment (
  id integer generated always as identity primary key,
  project_id integer not null references project,
  stream_id integer not null references stream on delete cascade,
  valid_from timestamptz not null,
  valid_to timestamptz not null default 'infinity',
  check (valid_from < valid_to)
);
create index assignment_stream on assignment (stream_id, valid_from);
create index assignment_project on assignment (project_id);
comment on table assignment is 'Manual assignment of a machine to a project; a machine has one at a time.';

create table project_exception (
  id integer generated always as identity primary key,
  project_id integer not null references project on delete cascade,
  stream_id integer not null references stream on delete cascade,
  valid_from timestamptz not null,
  valid_to timestamptz not null default 'infinity',
  check (valid_from < valid_to)
);
create index project_exception_stream on project_exception (stream_id, valid_from);
create index project_exception_project on project_exception (project_id);
comment on table project_exception is 'Time in which a machine''s positions do not count for a project (docs/decisions/0076-exceptions-of-projects.md).';

create table terrein (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  kind text check (kind in ('yard', 'workshop', 'depot')),
  areas jsonb not null,
  counted_from timestamptz not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index terrein_name on terrein (organization_id, lower(name)) where deleted_at is null;
comment on table terrein is 'Areas of an organization that are no project, such as a yard (docs/decisions/0072-terreinen.md).';
comment on column terrein.kind is 'null: not stated';
comment on column terrein.areas is 'Area[] of src/shared/domain/area.ts, as drawn';
comment on column terrein.counted_from is 'machines are followed from then on; earlier only places are named';
comment on column terrein.version is 'detects two people who save at once';
comment on column terrein.deleted_at is 'kept for earlier alerts that name it';

create table telemetry.presence (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  project_id integer not null,
  by_hand boolean not null,
  unseen_ms bigint not null,
  primary key (stream_id, from_time)
);
comment on table telemetry.presence is 'Time of a machine on a project, divided at midnights.';
comment on column telemetry.presence.by_hand is 'by an assignment';
comment on column telemetry.presence.unseen_ms is 'covered by readings without a position';

create table telemetry.terrein_presence (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  terrein_id integer not null,
  primary key (stream_id, from_time)
);
comment on table telemetry.terrein_presence is 'Time of a machine on a terrein by its positions, divided at midnights.';

create table work_week (
  organization_id integer primary key references organization on delete cascade,
  week json not null
);
comment on table work_week is 'Work week of an organization (docs/decisions/0045-work-week.md); without a row the usual week.';
comment on column work_week.week is 'WorkWeek of src/shared/domain/alerts/work-week.ts, as written';

create table own_work_week (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  label_id integer unique references label on delete cascade,
  project_id integer unique references project on delete cascade,
  stream_id integer unique references stream on delete cascade,
  week json not null,
  check (num_nonnulls(label_id, project_id, stream_id) = 1)
);
create index own_work_week_organization on own_work_week (organization_id);
comment on table own_work_week is 'Work week of a label, project or machine, which replaces that of the organization (docs/decisions/0070-own-work-weeks-and-present-moves.md).';
comment on column own_work_week.week is 'as in work_week';

create table contact (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  telephone text not null,
  note text not null,
  seen_from text not null check (seen_from in ('kijker', 'gebruiker', 'beheerder')),
  unique (id, organization_id)
);
create index contact_organization on contact (organization_id);
comment on table contact is 'Person to call about an organization, a project or a machine (docs/alerts.md): one row per person, for all uses.';
comment on column contact.telephone is 'as typed (src/shared/domain/telephone.ts)';
comment on column contact.seen_from is 'the lowest role that sees it';

create table contact_use (
  organization_id integer not null,
  contact_id integer not null,
  project_id integer unique references project on delete cascade,
  stream_id integer unique references stream on delete cascade,
  foreign key (contact_id, organization_id) references contact (id, organization_id) on delete cascade,
  check (num_nonnulls(project_id, stream_id) <= 1)
);
create unique index contact_use_of_organization on contact_use (organization_id) where project_id is null and stream_id is null;
create index contact_use_organization on contact_use (organization_id);
create index contact_use_contact on contact_use (contact_id);
comment on table contact_use is 'Use of a contact: for a project, for a machine, or for the organization if both are null.';

-- Figures by day, and charging (docs/figures.md section 13)

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
  window_ms bigint not null,
  window_heard_ms bigint not null,
  first_active timestamptz,
  last_active timestamptz,
  soc_min double precision,
  soc_max double precision,
  presence jsonb,
  cable_ms bigint not null,
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
  charged_from_hour smallint,
  charged_hours bigint[],
  primary key (stream_id, day, organization_id, project_id)
);
comment on table telemetry.day_figures is 'Figures of a day in Amsterdam on each project, and of the whole day (project_id 0).';
comment on column telemetry.day_figures.window_ms is 'from first to last activity';
comment on column telemetry.day_figures.presence is 'of project 0: state at the end of the day (src/shared/domain/presence.ts)';
comment on column telemetry.day_figures.cable_ms is 'with the next three, terms of the mean power while running (docs/figures.md section 5)';
comment on column telemetry.day_figures.charged_from_hour is 'hour of the first element of charged_hours';
comment on column telemetry.day_figures.charged_hours is 'energy charged in each clock hour, millijoule; null: none';

create table telemetry.day_cursor (
  stream_id integer primary key,
  counted_at timestamptz,
  time timestamptz not null default '-infinity',
  compared_at timestamptz,
  compare_from timestamptz,
  contradiction jsonb
);
comment on table telemetry.day_cursor is 'How far the days of a stream are counted.';
comment on column telemetry.day_cursor.counted_at is 'latest.updated_at at that time; null: nothing is counted';
comment on column telemetry.day_cursor.time is 'of the newest reading at that time';
comment on column telemetry.day_cursor.compared_at is 'newest reading when charge level and counted energy were compared (src/server/day-figures/compare-signals.ts)';
comment on column telemetry.day_cursor.compare_from is 'change of the definition: earlier values do not count in the comparison';
comment on column telemetry.day_cursor.contradiction is 'src/shared/domain/signal-contradiction.ts; null: they agree';

create table telemetry.changed_history (
  stream_id integer not null,
  id uuid not null default gen_random_uuid(),
  from_time timestamptz not null,
  only_presence boolean not null default false,
  primary key (stream_id, id)
);
comment on table telemetry.changed_history is 'Changes of existing buckets: the days of the stream must be counted again from then on.';
comment on column telemetry.changed_history.only_presence is 'a project changed: sums of days and charging sessions stay';

create table telemetry.charging_session (
  stream_id integer not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  charging_ms bigint not null,
  full_ms bigint not null,
  charged_mj bigint not null,
  highest_watts double precision,
  soc_from double precision[] not null,
  soc_to double precision[] not null,
  latitude double precision,
  longitude double precision,
  ended text,
  first_percent smallint,
  reached_ms integer[] not null default '{}',
  charged_hours bigint[],
  primary key (stream_id, from_time)
);
comment on column telemetry.charging_session.soc_from is 'by battery number less 1';
comment on column telemetry.charging_session.ended is 'reason of the end; null: it continues';
comment on column telemetry.charging_session.first_percent is 'the first whole percent that was reached';
comment on column telemetry.charging_session.reached_ms is 'when that one and each next were reached, since from_time';
comment on column telemetry.charging_session.charged_hours is 'energy charged in each clock hour from that of from_time on, millijoule; null: none';

create table telemetry.charge_forecast (
  stream_id integer not null,
  at timestamptz not null,
  percent double precision not null,
  from_time timestamptz not null,
  to_time timestamptz not null,
  primary key (stream_id, at)
);
comment on table telemetry.charge_forecast is 'Forecasts of running charges: full between from_time and to_time. Never changed later.';
comment on column telemetry.charge_forecast.percent is 'mean of the batteries at that time';

create table charging_tariff (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  terrein_id integer references terrein on delete cascade,
  first_day date not null,
  last_day date,
  day_price double precision not null check (day_price >= 0),
  night_price double precision check (night_price >= 0),
  night_from smallint not null check (night_from between 0 and 23),
  night_to smallint not null check (night_to between 0 and 23),
  night_weekend boolean not null,
  check (last_day is null or last_day >= first_day),
  check (night_price is null or night_from <> night_to)
);
create index charging_tariff_organization on charging_tariff (organization_id);
comment on table charging_tariff is 'Prices that an organization pays for charging (docs/decisions/0073-charging-costs.md), without VAT, as the customer enters them.';
comment on column charging_tariff.terrein_id is 'null: wherever no terrein''s tariff applies';
comment on column charging_tariff.first_day is 'in Amsterdam; until a newer one replaces it';
comment on column charging_tariff.last_day is 'null: no end';
comment on column charging_tariff.day_price is 'euro per kWh; of all hours without a night price';
comment on column charging_tariff.night_from is 'hours of the clock in Amsterdam';
comment on column charging_tariff.night_weekend is 'the night price applies on Saturday and Sunday';

-- Maintenance

create table maintenance_template (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  brand text not null,
  model text not null
);
create unique index maintenance_template_model on maintenance_template (organization_id, lower(brand), lower(model));
comment on table maintenance_template is 'Tasks of a brand and model, which an organization gives its machines of that model.';

create table maintenance_template_task (
  id integer generated always as identity primary key,
  place integer generated always as identity,
  template_id integer not null references maintenance_template on delete cascade,
  name text not null,
  every_hours double precision check (every_hours > 0),
  every_months integer check (every_months > 0),
  check (every_hours is not null or every_months is not null)
);
create unique index maintenance_template_task_name on maintenance_template_task (template_id, lower(name));
comment on column maintenance_template_task.place is 'order of entry, because ids have no order';
comment on column maintenance_template_task.every_hours is 'running hours';

create table maintenance_plan (
  id integer generated always as identity primary key,
  stream_id integer not null references stream on delete cascade,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  every_hours double precision check (every_hours > 0),
  every_months integer check (every_months > 0),
  last_hours double precision not null,
  last_day date not null,
  template_task_id integer references maintenance_template_task on delete set null,
  follows_template boolean not null default false,
  check (every_hours is not null or every_months is not null)
);
create index maintenance_plan_stream on maintenance_plan (stream_id);
create index maintenance_plan_organization on maintenance_plan (organization_id);
create index maintenance_plan_template_task on maintenance_plan (template_task_id);
comment on table maintenance_plan is 'Periodic maintenance of a machine by the organization that has it; other organizations do not see it.';
comment on column maintenance_plan.every_hours is 'running hours';
comment on column maintenance_plan.last_hours is 'hour meter when it was done last';
comment on column maintenance_plan.last_day is 'day when it was done last, in Amsterdam';
comment on column maintenance_plan.template_task_id is 'the plan was made from this task';
comment on column maintenance_plan.follows_template is 'takes name and interval of the task, until they are changed on the machine';

create table maintenance_done (
  id integer generated always as identity primary key,
  plan_id integer not null references maintenance_plan on delete cascade,
  hours double precision not null,
  day date not null,
  note text not null
);
create index maintenance_done_plan on maintenance_done (plan_id);

-- Reports

create table report_factor (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  kind text not null check (kind in ('co2', 'diesel')),
  value double precision not null check (value >= 0),
  first_day date not null,
  from_kw double precision,
  below_kw double precision,
  compared_to text not null default '',
  source text not null,
  check ((kind = 'diesel') = (from_kw is not null) and from_kw < below_kw is not false)
);
create index report_factor_organization on report_factor (organization_id);
comment on table report_factor is 'Factors of an organization''s reports, with their source. An update of the portal never changes them.';
comment on column report_factor.value is 'co2: kg per kWh; diesel: litres per hour';
comment on column report_factor.first_day is 'in Amsterdam; until a newer one replaces it';
comment on column report_factor.from_kw is 'diesel: machines from this continuous power';
comment on column report_factor.below_kw is 'diesel: below this continuous power; null: no limit';
comment on column report_factor.compared_to is 'diesel: the machine that is not used';

create table report_subscription (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  organization_id integer not null references organization on delete cascade,
  kind text not null,
  rhythm text not null check (rhythm in ('week', 'month')),
  minutes integer not null,
  projects integer[],
  machines integer[],
  created_at timestamptz not null,
  labels integer[]
);
create index report_subscription_account on report_subscription (account_id);
comment on table report_subscription is 'Reports that an account gets by mail.';
comment on column report_subscription.organization_id is 'of the account at that time: after a move it gets none';
comment on column report_subscription.kind is 'of src/shared/domain/reports/kinds.ts';
comment on column report_subscription.minutes is 'running minutes that make a day of use';
comment on column report_subscription.projects is 'null: all, and none';
comment on column report_subscription.machines is 'ids of streams; null: all';
comment on column report_subscription.labels is 'null: machines with any label or none';

create table report_mail (
  subscription_id integer not null references report_subscription on delete cascade,
  first_day date not null,
  asked_at timestamptz not null,
  sent_at timestamptz,
  primary key (subscription_id, first_day)
);
comment on table report_mail is 'Mails that were requested, so that each period gets one.';
comment on column report_mail.first_day is 'of the period';

-- Alerts (docs/alerts.md)

create table alert_rule (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  account_id integer references account on delete cascade,
  name text not null,
  kind text not null,
  settings jsonb not null,
  hours text not null check (hours in ('always', 'work', 'outside')),
  machines text not null check (machines in ('all', 'labels', 'projects', 'terreinen', 'chosen')),
  ids integer[] not null default '{}',
  severity text not null check (severity in ('notice', 'urgent', 'daily')),
  accounts integer[] not null default '{}',
  roles text[] not null default '{}',
  tells_end boolean not null,
  is_on boolean not null,
  version integer not null default 1,
  valid_from timestamptz not null
);
create index alert_rule_organization on alert_rule (organization_id);
create unique index alert_rule_charging on alert_rule (account_id, (ids[1])) where kind = 'charging';
create index alert_rule_charging_stream on alert_rule ((ids[1])) where kind = 'charging';
comment on index alert_rule_charging is 'A subscription to the charging mails of a machine is a rule';
comment on column alert_rule.account_id is 'a person''s own rule, which notifies that person only; null: the organization''s rule';
comment on column alert_rule.kind is 'of src/shared/domain/alerts/kinds.ts';
comment on column alert_rule.settings is 'its numbers: RuleSettings';
comment on column alert_rule.ids is 'of labels, projects, terreinen or streams';
comment on column alert_rule.severity is 'daily: alerts wait for one mail a day';
comment on column alert_rule.accounts is 'notified accounts, and';
comment on column alert_rule.roles is 'everybody with one of these roles';
comment on column alert_rule.tells_end is 'notifies when an alert has resolved';
comment on column alert_rule.version is 'increases when its condition changes';
comment on column alert_rule.valid_from is 'of this version: earlier data cause no alert';

create table alert (
  id bigint generated always as identity primary key,
  rule_id integer not null references alert_rule on delete cascade,
  version integer not null,
  organization_id integer not null references organization on delete cascade,
  stream_id integer references stream on delete cascade,
  kind text not null,
  severity text not null,
  words text not null,
  since timestamptz not null,
  at timestamptz not null,
  until timestamptz,
  withdrawn_at timestamptz,
  is_news boolean not null,
  made_at timestamptz not null,
  taken_by integer references account on delete set null,
  taken_at timestamptz,
  subject text not null default '',
  data jsonb,
  value double precision,
  threshold double precision,
  reached_metres integer
);
create unique index alert_open on alert (rule_id, coalesce(stream_id, 0), subject) where until is null and withdrawn_at is null;
create index alert_stream on alert (stream_id, since);
create index alert_made on alert (organization_id, made_at, id);
comment on column alert.version is 'of the rule';
comment on column alert.stream_id is 'null: about several machines or none';
comment on column alert.words is 'text with the measured figures';
comment on column alert.since is 'the condition began';
comment on column alert.at is 'the pending period was over';
comment on column alert.until is 'resolved; null: firing';
comment on column alert.withdrawn_at is 'late readings show that the condition never held';
comment on column alert.is_news is 'people are notified; not of alerts of long ago';
comment on column alert.taken_by is 'a person who accepted it';
comment on column alert.subject is 'distinguishes alerts of one rule and machine; names the subject if there is no machine';
comment on column alert.data is 'of charging: event and values at that time, for its mail';
comment on column alert.value is 'measured value; null: the kind has no number';
comment on column alert.threshold is 'of the rule';
comment on column alert.reached_metres is 'of a move: 1000 or 10000, distances that people are notified of again; null: not reached';

create table alert_seen (
  alert_id bigint not null references alert on delete cascade,
  account_id integer not null references account on delete cascade,
  primary key (alert_id, account_id)
);
create index alert_seen_account on alert_seen (account_id);

create table alert_mute (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  rule_id integer references alert_rule on delete cascade,
  stream_id integer references stream on delete cascade,
  until timestamptz not null,
  check (num_nonnulls(rule_id, stream_id) = 1)
);
create unique index alert_mute_one on alert_mute (account_id, coalesce(rule_id, 0), coalesce(stream_id, 0));
comment on table alert_mute is 'Rules or machines that a person wants no notifications of for a while.';

create table alert_preference (
  account_id integer primary key references account on delete cascade,
  by_mail boolean not null,
  by_push boolean not null,
  quiet_from text,
  quiet_to text
);
comment on table alert_preference is 'How a person is notified; without a row as in src/shared/domain/alerts/quiet-hours.ts.';
comment on column alert_preference.quiet_from is '''HH:mm'' in Amsterdam';

create table alert_message (
  id uuid primary key default gen_random_uuid(),
  account_id integer not null references account on delete cascade,
  channel text not null check (channel in ('mail', 'push')),
  made_at timestamptz not null,
  sent_at timestamptz,
  is_alone boolean not null default false
);
create index alert_message_account on alert_message (account_id, channel, made_at);
comment on table alert_message is 'One notification to one person by one channel: about one alert, or several as a list.';
comment on column alert_message.id is 'Message-ID of the mail, id of the push notification';
comment on column alert_message.is_alone is 'sent separately: it delays no other notification';

create table alert_outbox (
  alert_id bigint not null references alert on delete cascade,
  account_id integer not null references account on delete cascade,
  channel text not null,
  step text not null check (step in ('opened', 'further-1', 'further-10', 'closed', 'withdrawn')),
  due_at timestamptz not null,
  message_id uuid references alert_message on delete cascade,
  primary key (alert_id, account_id, channel, step)
);
create index alert_outbox_due on alert_outbox (due_at) where message_id is null;
create index alert_outbox_message on alert_outbox (message_id);
comment on table alert_outbox is 'Notifications to send, and sent ones.';
comment on column alert_outbox.step is 'further-1, -10: a move of 1 and 10 km';
comment on column alert_outbox.message_id is 'null: to be sent';

create table telemetry.alert_cursor (
  stream_id integer primary key,
  begin_time timestamptz not null,
  time timestamptz not null,
  state jsonb,
  older jsonb,
  oldest jsonb,
  count bigint not null,
  unsettled integer not null default 0,
  late boolean not null default false,
  reread_at timestamptz not null default '-infinity',
  seen_at timestamptz,
  looked_at timestamptz not null default '-infinity'
) with (toast_tuple_target = 128, fillfactor = 50);
alter table telemetry.alert_cursor
  alter column state set storage main,
  alter column older set storage external,
  alter column oldest set storage external;
comment on table telemetry.alert_cursor is 'How far the readings of a stream are evaluated. A state is what later readings need of earlier ones. Each evaluation writes state, while the other two stay for a day: those are stored outside the row, and the page has room for the new row.';
comment on column telemetry.alert_cursor.begin_time is 'earlier readings cause no alert';
comment on column telemetry.alert_cursor.time is 'of the last evaluated reading';
comment on column telemetry.alert_cursor.state is 'at time';
comment on column telemetry.alert_cursor.older is 'some hours earlier';
comment on column telemetry.alert_cursor.oldest is 'at least a day earlier: late readings are evaluated from there';
comment on column telemetry.alert_cursor.count is 'readings stored at that time';
comment on column telemetry.alert_cursor.unsettled is 'readings before which others may still arrive';
comment on column telemetry.alert_cursor.seen_at is 'latest.updated_at at that time';

create table alert_clock (
  id boolean primary key default true check (id),
  looked_at timestamptz not null,
  since timestamptz not null
);
comment on table alert_clock is 'The last evaluation of silence, and the beginning of uninterrupted evaluation.';

create table alert_presence (
  stream_id integer primary key references stream on delete cascade,
  time timestamptz not null,
  state jsonb not null,
  projects text not null
);
comment on table alert_presence is 'Position of each machine at the last evaluation of arrivals: earlier changes by late readings or people cause no notification.';
comment on column alert_presence.time is 'of its newest counted reading';
comment on column alert_presence.state is 'at that time (src/shared/domain/presence.ts)';
comment on column alert_presence.projects is 'hash of the projects that people had entered';

-- Notifications to devices (push), and messages to programs (webhooks)

create table push_key (
  id boolean primary key default true check (id),
  private_key bytea not null
);
comment on table push_key is 'Key that identifies the portal to push services (VAPID, RFC 8292); generated at the first start.';
comment on column push_key.private_key is 'P-256, sealed';

create table push_subscription (
  session_id integer primary key references session (id) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  wait_until timestamptz
);
comment on table push_subscription is 'Browser of a session that gets notifications, as long as the session lasts.';
comment on column push_subscription.endpoint is 'address at the browser''s push service';
comment on column push_subscription.p256dh is 'with auth, encrypts for this browser only; base64url';
comment on column push_subscription.sent_at is 'the service accepted a message last';
comment on column push_subscription.failed_at is 'the service refused a message last';
comment on column push_subscription.wait_until is 'the service accepts nothing earlier (Retry-After)';

create table push_taken (
  session_id integer not null references push_subscription on delete cascade,
  notice_id text not null,
  taken_at timestamptz not null default now(),
  primary key (session_id, notice_id)
);
create index push_taken_at on push_taken (taken_at);
comment on table push_taken is 'Notifications that a device has, so that a retry for another device does not repeat them.';

create table webhook (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  name text not null,
  url text not null,
  secret bytea not null,
  is_on boolean not null default true,
  is_gone boolean not null default false,
  made_by integer references account on delete set null,
  made_at timestamptz not null default now(),
  taken_until timestamptz not null default '-infinity'
);
create index webhook_organization on webhook (organization_id);
comment on table webhook is 'Address of an organization''s program that gets events (docs/webhooks.md).';
comment on column webhook.secret is 'sealed; signs its messages';
comment on column webhook.is_gone is 'disabled because it answered 410';
comment on column webhook.taken_until is 'later than now: a process is sending to it';

create table webhook_delivery (
  id integer generated always as identity primary key,
  webhook_id integer not null references webhook on delete cascade,
  event_id text not null,
  type text not null,
  body text not null,
  asked_at timestamptz not null,
  next_try_at timestamptz,
  tries integer not null default 0,
  tried_at timestamptz,
  status integer,
  failure text,
  ms integer,
  made_nth bigint generated always as identity,
  unique (webhook_id, event_id)
);
create index webhook_delivery_due on webhook_delivery (webhook_id, next_try_at) where next_try_at is not null;
comment on table webhook_delivery is 'Messages to webhooks: queue and log.';
comment on column webhook_delivery.event_id is 'the receiver''s idempotency key';
comment on column webhook_delivery.body is 'the same bytes in every attempt';
comment on column webhook_delivery.asked_at is 'attempts continue for 24 hours from then on';
comment on column webhook_delivery.next_try_at is 'null: no further attempt';
comment on column webhook_delivery.status is 'of the last answer';
comment on column webhook_delivery.failure is 'why there was no answer: of src/shared/domain/webhooks.ts';
comment on column webhook_delivery.ms is 'duration of the last attempt';
comment on column webhook_delivery.made_nth is 'order of messages of one instant';

-- The portal itself

create table change_counter (
  name text primary key,
  n bigint not null default 0
);
insert into change_counter (name) values ('directory');
comment on table change_counter is 'Counts changes of what processes cache. A process reads the counter at least every 5 s; the notification only makes it faster.';

create table background_task (
  name text primary key,
  done double precision not null check (done between 0 and 1),
  updated_at timestamptz not null default now()
);
comment on table background_task is 'Progress of long work, such as filling the demo''s history, for GET /api/background-tasks. The worker removes its row at the end; a row that is not updated belongs to a dead process.';
comment on column background_task.name is 'Dutch, shown to people';

create table secrets_check (
  only_one boolean primary key default true check (only_one),
  sealed bytea not null
);
comment on table secrets_check is 'A sample that is sealed with SECRETS_KEY: a process with another key must not start, because it could open no logger''s secret.';

create table health (
  one boolean primary key default true check (one),
  written_at timestamptz not null default now()
) with (fillfactor = 10);
insert into health default values;
comment on table health is 'Written by GET /api/health, at most once a second: a read-only database cannot carry the portal.';

create table id_key (key bytea not null);
insert into id_key select sha256(string_agg(uuid_send(gen_random_uuid()), '')) from generate_series(1, 4);
comment on table id_key is 'Random key of this database for ids that reveal neither the number of rows nor their order (platform/sql/unordered-ids.sql).';

create table backup_made (
  id boolean primary key default true check (id),
  at timestamptz,
  due_at timestamptz,
  failed_at timestamptz,
  tried_at timestamptz,
  failure text
);
comment on table backup_made is 'Scheduled and manual backups; a restore empties the table.';
comment on column backup_made.at is 'the newest backup that was read back';
comment on column backup_made.due_at is 'the time of BACKUP_AT that it was for';
comment on column backup_made.failed_at is 'since when scheduled backups fail';
comment on column backup_made.tried_at is 'the newest failed one';
comment on column backup_made.failure is 'reason of the failure, in Dutch';

create table portal_disk (
  place text primary key,
  free_bytes float8 not null,
  all_bytes float8 not null,
  measured_at timestamptz not null
);
comment on table portal_disk is 'Free space on the disks with the data of each process.';
comment on column portal_disk.place is 'host:folder';
