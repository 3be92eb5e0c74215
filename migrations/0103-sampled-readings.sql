-- A second, small Parquet file of the same readings: of each 30 s the first reading with a value in each column. Charts and paths of
-- millions of readings read it instead of all columns (docs/decisions/0081-sampled-readings.md). Null when it would not be small.
alter table telemetry.reading_file add sampled bytea;
alter table telemetry.reading_file add sampled_chunks jsonb;
alter table telemetry.reading_file add sampled_readings integer;
alter table telemetry.reading_file alter column sampled set storage external;
