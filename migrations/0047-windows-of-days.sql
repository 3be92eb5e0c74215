-- Of who had a stream three times on a day, a time in which it said nothing was left out of the day's window: such streams are counted anew.
insert into changed_history (stream_id, from_time)
select stream_id, min(valid_from) from ownership group by stream_id, organization_id having count(*) > 2;
