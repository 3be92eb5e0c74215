-- What somebody shows at sign-in besides the password: passkeys, authenticator apps (TOTP) and recovery codes.

create table factor (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  kind text not null check (kind in ('passkey', 'totp')),
  name text not null,                              -- the person's own word for it
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  disabled_at timestamptz,                         -- a passkey that was copied: it stays, and lets nobody in
  credential_id text unique,                       -- passkey: base64url, as browsers give it
  public_key bytea,                                -- passkey: COSE
  counter bigint,                                  -- passkey: of the last use; 0 where the device keeps none
  transports text[],                               -- passkey: how browsers reach it
  secret bytea,                                    -- totp: sealed (platform/secrets.ts)
  last_step bigint,                                -- totp: of 30 s since 1970; a code of this one or before is used up
  check (case kind when 'passkey' then credential_id is not null and public_key is not null and counter is not null
    and transports is not null and secret is null
    else secret is not null and last_step is not null and credential_id is null end)
);
create index factor_account on factor (account_id);

create table recovery_code (
  account_id integer not null references account on delete cascade,
  code_hash bytea not null,                        -- argon2id
  salt bytea not null,                             -- of all codes of an account
  primary key (account_id, code_hash)
);

-- From the right password to the second factor, and from asking for a passkey to showing it: known by a cookie.
create table sign_in_step (
  token_hash bytea primary key,                    -- SHA-256 of the cookie's random token
  account_id integer references account on delete cascade,  -- null: a passkey without a password before it
  password_hash text,                              -- the one that was right
  challenge text,                                  -- what a passkey signs, once
  tries_left smallint not null,
  expires_at timestamptz not null
);
create index sign_in_step_account on sign_in_step (account_id);
create index sign_in_step_end on sign_in_step (expires_at);

-- Its beheerder asks it of everybody in it (beside the setting REQUIRE_SECOND_FACTOR).
alter table organization add column requires_second_factor boolean not null default false;
