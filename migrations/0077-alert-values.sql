-- What an alert measured and the number of its rule that this was compared with, beside its words; null where its kind has none.
alter table alert add column value double precision, add column threshold double precision;
