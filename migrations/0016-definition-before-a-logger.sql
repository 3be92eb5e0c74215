-- The definition that a stream's next logger gets, uploaded while none is bound; null: that of its last one.
alter table stream add column next_definition_id integer references definition on delete set null;
