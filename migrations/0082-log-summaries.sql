-- The table of log files on a logger's page shows the period, frames and signals of each (LogSummary of shared/contract/log-files.ts).
alter table object add column log_summary jsonb;                   -- null: not decoded, or stored before this version
