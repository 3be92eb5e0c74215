-- What administrators are told of the portal itself (docs/alerts.md section 3).
create table backup_made (
  id boolean primary key default true check (id),
  at timestamptz not null                          -- when `npm run backup` succeeded last; a restore forgets it
);
create table portal_disk (
  place text primary key,                          -- host:folder
  free_bytes float8 not null,
  all_bytes float8 not null,
  measured_at timestamptz not null                 -- by a process of the portal that has its data there
);
create index quarantine_received on quarantine (received_at);
