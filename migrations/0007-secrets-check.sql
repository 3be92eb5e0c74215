-- Something sealed with SECRETS_KEY: a process with another key must not start, since it could open no logger's secret.
create table secrets_check (
  only_one boolean primary key default true check (only_one),
  sealed bytea not null
);
