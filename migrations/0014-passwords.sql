-- Ways to a new password (decision 27). Several of one account may be valid at once, each with a code to type over and a
-- token in a link; one that is used ends them all. What was mailed in the half hour before this migration is void.
drop table password_reset;
create table password_reset (
  id uuid primary key,                             -- of the job that mails it, so that a second try takes its place
  account_id integer not null references account on delete cascade,
  code_hash bytea not null,                        -- argon2id, salted by the address
  code_until timestamptz not null,
  tries_left smallint not null,                    -- of the code
  token_hash bytea not null unique,                -- SHA-256
  link_until timestamptz not null,
  used_at timestamptz                              -- when the account got another password, by this one or otherwise
);
create index password_reset_account on password_reset (account_id);

-- Its password was made up by the first start and stands in a file: it opens nothing but the page to choose another.
alter table account add column must_change_password boolean not null default false;
