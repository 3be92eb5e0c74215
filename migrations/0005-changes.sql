-- Tells every process that what it caches has changed. The counter is the truth (a process asks for it at
-- least every 5 s); the notification only makes it quick.
create table change_counter (
  name text primary key,
  n bigint not null default 0
);
insert into change_counter (name) values ('directory');

create function directory_changed() returns trigger language plpgsql as $$
begin
  update change_counter set n = n + 1 where name = 'directory';
  perform pg_notify('werkstroom', 'directory');
  return null;
end $$;

create function session_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('werkstroom', 'session');
  return null;
end $$;

-- Who owns which stream, which logger reports for it, and with what.
create trigger changed after insert or update or delete on organization for each statement execute function directory_changed();
create trigger changed after insert or update or delete on stream for each statement execute function directory_changed();
create trigger changed after insert or update or delete on machine for each statement execute function directory_changed();
create trigger changed after insert or update or delete on ownership for each statement execute function directory_changed();
create trigger changed after insert or update or delete on definition for each statement execute function directory_changed();
create trigger changed after insert or update or delete on definition_bus for each statement execute function directory_changed();
create trigger changed after insert or update or delete on writer for each statement execute function directory_changed();
create trigger changed after insert or update or delete on writer_key for each statement execute function directory_changed();

-- Who is signed in as what. A new session needs no word: nobody has cached it.
create trigger session_changed after update or delete on session for each statement execute function session_changed();
create trigger session_changed after update or delete on account for each statement execute function session_changed();
create trigger session_changed after update or delete on organization for each statement execute function session_changed();
