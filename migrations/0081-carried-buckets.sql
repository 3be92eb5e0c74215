-- Few buckets were carried: the list of transports finds them without reading the others.
create index rollup_carried on rollup (stream_id, bucket) where carried_mm > 0;
