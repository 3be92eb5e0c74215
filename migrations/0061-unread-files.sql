-- Documents of kinds that the portal does not read get the outcome of log files of such kinds: one list has both
-- (src/server/writers/undecoded-files.ts).
update object set outcome = 'niet gedecodeerd' where outcome = 'bewaard' and log_stored_at is null;
