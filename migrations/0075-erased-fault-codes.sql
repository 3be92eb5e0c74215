-- An erasure of everything keeps the fault codes that it took, so that they can be put back.
alter table erasure add column dm1 jsonb;
