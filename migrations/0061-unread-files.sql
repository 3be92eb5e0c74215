-- A document of a kind that the portal does not read is told as a log file of such a kind is (src/server/writers/undecoded-files.ts).
update object set outcome = 'niet gedecodeerd' where outcome = 'bewaard' and log_stored_at is null;
