-- Alerts keep the figures of their text, which is made when it is shown. An alert from before has its text in `words` and no `data`.
alter table alert alter column words set default '';
comment on column alert.words is 'text of an alert from before migration 0002, which has no data';
comment on column alert.data is 'figures of the text, as the kind declares them (shared/domain/alerts/kinds)';
