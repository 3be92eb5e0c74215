-- A backup counts once it has been read back: those of earlier versions were not.
delete from backup_made;
alter table backup_made
  alter at drop not null,                          -- when the newest proved one was made
  add due_at timestamptz,                          -- for which time of BACKUP_AT that was
  add failed_at timestamptz,                       -- since when scheduled ones fail
  add tried_at timestamptz,                        -- the newest one that failed
  add failure text;                                -- why, in Dutch
