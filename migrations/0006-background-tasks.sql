-- Long work that a person may wonder about, such as the demo's history: how far it is, for GET /api/background-tasks.
-- Whoever works removes its row at the end; a row that nobody touches any more is of a process that died.
create table background_task (
  name text primary key,                           -- Dutch, shown to people
  done double precision not null check (done between 0 and 1),
  updated_at timestamptz not null default now()
);
