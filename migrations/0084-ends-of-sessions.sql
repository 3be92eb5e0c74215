-- How a session ended was stored only if a reading came 10 minutes after its end. It is stored always now, and whether the session is
-- over is decided when it is read: the sessions without an end are found again.
insert into changed_history (stream_id, from_time)
select stream_id, min(from_time) from charging_session where ended is null group by stream_id;
