-- Who made a definition, and who began to decode anew, stand by their account as in the log: not by an address that they may
-- have changed or had erased. No foreign key: who goes stays 'verwijderd account 12', and nothing is rewritten.

alter table definition add column maker_id integer;
update definition d set maker_id = a.id from account a where lower(a.email) = lower(d.made_by);
alter table definition drop column made_by;
alter table definition rename column maker_id to made_by;
comment on column definition.made_by is 'account, there or not; null: unknown, or the portal itself';

alter table redecoding add column starter_id integer;
update redecoding r set starter_id = a.id from account a where lower(a.email) = lower(r.started_by);
alter table redecoding drop column started_by;
alter table redecoding rename column starter_id to started_by;
comment on column redecoding.started_by is 'account, there or not; null: unknown';
