-- From now on a log file without readings has a reason (src/server/telemetry/log-report.ts). Earlier files have none.
update object set outcome = '0 metingen; reden niet vastgelegd: decodeer de logbestanden opnieuw'
where log_stored_at is not null and outcome = '0 metingen';
