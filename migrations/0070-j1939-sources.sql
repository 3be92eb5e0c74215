-- J1939 by message: the identifiers that are chosen, as the definition has them ('0x0CF004FE').
alter table definition_bus
  drop constraint definition_bus_j1939_check,
  add constraint definition_bus_j1939_check check (j1939 in ('none', 'dbc', 'all', 'some')),
  add column j1939_messages text[] not null default '{}';

-- J1939 sources and absent values in a log file (telemetry/decode/j1939/bus-report.ts); null: no J1939, or not decoded.
alter table object add column bus_report jsonb;

-- Values of a snapshot that are none, by signal (telemetry/decode/j1939/absent-values.ts), derived from the DBC files and the mapping.
alter table definition add column absent jsonb not null default '{}';
