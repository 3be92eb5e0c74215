-- GET /api/health writes here, once a second at most: a database that only reads cannot carry the portal.
create table health (
  one boolean primary key default true check (one),
  written_at timestamptz not null default now()
) with (fillfactor = 10);
insert into health default values;
