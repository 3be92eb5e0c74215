-- The object of a log file is made when all of the file is decoded (telemetry/log-delivery.ts). It used to be made before:
-- a file whose decoding broke off was never acknowledged, and seemed delivered. Its logger delivers it again.
delete from object
where body is null and outcome = 'niet gedecodeerd' and key ~* '\.(log|candump|txt|csv|gpx)(\.gz)?$';

-- Documents go when a logger has newer ones, log files by their age (upkeep.ts). A document is replaced every few
-- seconds: no index may hold what changes then, so that PostgreSQL updates it in place (HOT).
drop index object_recent;
alter table object add column log_stored_at timestamptz;     -- null: a document
update object set log_stored_at = modified_at where body is null;
create index object_logs on object (log_stored_at) where log_stored_at is not null;
