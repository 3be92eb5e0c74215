-- The measured value of an alert and the threshold of its rule, beside its words; null where its kind has no number.
alter table alert add column value double precision, add column threshold double precision;
