-- The choice of which messages of a bus are SAE J1939. Existing definitions keep their meaning.
alter table definition_bus add column j1939 text not null default 'none' check (j1939 in ('none', 'dbc', 'all'));
