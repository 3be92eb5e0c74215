-- Who gets which report by mail, and how often.
create table report_subscription (
  id integer generated always as identity primary key,
  account_id integer not null references account on delete cascade,
  organization_id integer not null references organization on delete cascade,  -- whose it was then: moved, it gets none
  kind text not null,                              -- of src/shared/domain/reports/kinds.ts
  rhythm text not null check (rhythm in ('week', 'month')),
  minutes integer not null,                        -- of running that make a day of use
  projects integer[],                              -- null: all, and none
  machines integer[],                              -- ids of streams; null: all
  created_at timestamptz not null
);
create index report_subscription_account on report_subscription (account_id);

-- That a mail about a period was asked for: once, whoever looks and however often.
create table report_mail (
  subscription_id integer not null references report_subscription on delete cascade,
  first_day date not null,                         -- of the period
  asked_at timestamptz not null,
  sent_at timestamptz,
  primary key (subscription_id, first_day)
);

-- Whether reports by mail have the file with them.
alter table organization add column mails_report_files boolean not null default false;
