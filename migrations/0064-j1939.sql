-- Which messages of a bus are told by their SAE J1939 group. Definitions that are there keep their meaning.
alter table definition_bus add column j1939 text not null default 'none' check (j1939 in ('none', 'dbc', 'all'));
