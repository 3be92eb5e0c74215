-- Readings of before a logger's present binding, while the machine of then is another organization's: they are held until an
-- administrator says that they go there. Of a document the row has the whole body, of a log file the object it came in.
alter table quarantine
  add column held_from timestamptz,                -- time of the first one; null: nothing is held
  add column held_to timestamptz,                  -- and of the last one
  add column held_count integer,
  add column object_id bigint;                     -- of a log file; the object itself may be gone
comment on column quarantine.body is 'the first 64 KiB; all of it where readings are held';
