-- The log (Logboek): who did what to what, from where, with the values before and after. People stand in it by id, so that
-- erasing a name changes no row. The application only adds rows; expire_log() removes the old ones.

alter table audit alter column actor drop not null;
alter table audit
  add column actor_id integer,                     -- account; never given to another, so its name is found as long as it has one
  add column actor_organization_id integer,        -- of that account then
  add column address text not null default '',     -- from where, whole
  add column device text not null default '',      -- with what, in words
  add column request_id text not null default '',  -- by which the lines of one request are found in the server's log
  add column kind text,                            -- of LOG_KINDS in src/shared/domain/log-text.ts
  add column account_id integer,                   -- whom it is about
  add column stream_id integer,                    -- which machine or LMB logger it is about; subject is its number of then
  add column organization_id integer,              -- in whose log it is; null: administrators only
  add column aside jsonb not null default '{}',    -- what only administrators read: it names what is another's
  add column changes jsonb not null default '{}';  -- name to [before, after]; of what changed only
comment on column audit.actor is 'the program, where it was no person: ''first start'', ''demo''';
comment on column audit.subject is 'serial number or loggerid, or functional name of an organization; of an account nothing';

-- What stands there already. Who has no account any more gets a number that no account will have: one for all of somebody's
-- rows.
create temporary table person on commit drop as
  select email, coalesce(
    (select id from account a where lower(a.email) = said.email),
    nextval(pg_get_serial_sequence('account', 'id'))::integer
  ) as id
  from (
    select distinct lower(text) as email from audit, unnest(array[actor, subject]) as text where text like '%@%'
  ) as said;

update audit set
  actor_id = (select id from person where email = lower(actor)),
  actor = case when actor like '%@%' then null else actor end,
  account_id = (select id from person where email = lower(subject)),
  subject = case when subject like '%@%' then '' else subject end,
  kind = case
    when action = 'session.refuse' then 'refusal'
    when action like 'session.%' or action = 'user.reset-password' then 'sign-in'
    when action like 'user.%' then 'account'
    when action like 'organization.%' then 'organization'
    when action like 'dbc.%' then 'definition'
    when action = 'config.download' then 'view'
    when action like 'writer.%' or action like 'config.%' or action like 'lmb-logger.%' then 'logger'
    else 'machine'
  end;
update audit set stream_id = (
  select id from stream where lower(serial) = lower(audit.subject) and created_at <= audit.at order by created_at desc limit 1
) where kind in ('machine', 'logger', 'definition', 'view');
update audit set
  actor_organization_id = (select organization_id from account where id = actor_id),
  organization_id = case
    when stream_id is not null then (
      select organization_id from ownership w where w.stream_id = audit.stream_id and valid_from <= at and at < valid_to
    )
    when kind = 'organization' then (select id from organization where name = subject)
    when account_id is not null then (select organization_id from account where id = account_id)
  end,
  -- It may name another organization's things.
  aside = data,
  data = '{}';

alter table audit
  alter column kind set not null,
  add constraint audit_names_nobody check (actor not like '%@%' and subject not like '%@%');
create index audit_at on audit (at, id);
create index audit_kind on audit (kind, at, id);
create index audit_organization on audit (organization_id, at, id);
create index audit_organization_kind on audit (organization_id, kind, at, id);
create index audit_actor on audit (actor_id, at, id) where actor_id is not null;
create index audit_account on audit (account_id, at, id) where account_id is not null;
create index audit_stream on audit (stream_id, at, id) where stream_id is not null;
create index audit_subject on audit (lower(subject), stream_id) where stream_id is not null;

-- Refusals of the minute that runs, counted: when it is over they become one row of the log each.
create table refusal (
  minute timestamptz not null,
  network text not null,                           -- as limits count addresses
  action text not null,
  account_id integer not null default 0,           -- 0: none that there is
  stranger text not null default '',               -- keyed hash of an e-mail that has no account
  first_at timestamptz not null default now(),
  address text not null,                           -- of the first one, as are the device and the call
  device text not null,
  call text not null,
  count integer not null,
  primary key (minute, network, action, account_id, stranger)
);
