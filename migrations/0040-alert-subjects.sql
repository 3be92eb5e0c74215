-- What an alert is about: of its machine where several things can be so at once, and instead of one where it is of none.
alter table alert add column subject text not null default '';
update alert set subject = words where kind = 'maintenance';
drop index alert_open;
create unique index alert_open on alert (rule_id, coalesce(stream_id, 0), subject) where until is null and withdrawn_at is null;
