-- A machine was sold with its logger: the key may be in the former owner's hands. From `replace_by` on what it signs goes to quarantine.
alter table writer_key add column replace_by timestamptz;
update writer_key k set replace_by = now() + interval '30 days'
from writer w join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity'
where w.id = k.writer_id and k.retired_at is null and k.created_at < o.valid_from;

-- A log file that such a key brought later than that: decoding again leaves it out until an administrator accepts it.
alter table object add column is_withheld boolean not null default false;
