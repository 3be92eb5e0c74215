-- An upload that was refused is not one that the logger delivered: a busy logger with a wrong clock looked well.
alter table writer_health
  add refused_at timestamptz,                      -- of the last upload that was refused
  add refusal text;                                -- S3 code of the answer and the object's key, 'code: key'
