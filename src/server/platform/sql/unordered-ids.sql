-- Returns the id for the n-th number of a sequence, from 2^30 to 2^31 - 1: a permutation under the key of this database (a
-- Feistel network of 8 rounds on two halves of 15 bits). No two numbers share an id, and an id reveals neither the number of
-- rows of all organizations nor when a row was inserted.
create or replace function unordered_id(n bigint) returns integer language plpgsql stable as $$
declare
  secret constant bytea := (select key from id_key);
  digest bytea;
  high integer := n >> 15;
  low integer := n & 32767;
begin
  if n < 0 or n >= 1 << 30 then
    raise exception 'No id is left: %', n;
  end if;
  for round in 1 .. 8 loop
    digest := sha256(secret || int4send(round) || int4send(low));
    select low, high # ((get_byte(digest, 0) << 7) | (get_byte(digest, 1) >> 1)) into high, low;
  end loop;
  return (1 << 30) | (high << 15) | low;
end $$;

create or replace function give_unordered_id() returns trigger language plpgsql as $$
begin
  if new.id < 1 << 30 then
    new.id := unordered_id(new.id);
  end if;
  return new;
end $$;

-- Replaces the ids that occur in answers to customers, in addresses of pages and in messages to webhooks: the ids of every table
-- that numbers its rows with integers, except tables whose ids customers do not see. The ids of alerts are bigint, and below 2^31.
do $$
declare
  named text;
begin
  for named in
    select attrelid::regclass::text from pg_attribute join pg_class c on c.oid = attrelid
    where attname = 'id' and attidentity <> '' and relnamespace = 'public'::regnamespace
      and (atttypid = 'integer'::regtype or relname = 'alert')
      and relname not in ('definition', 'erasure', 'logger_config', 'maintenance_done', 'own_work_week', 'ownership', 'writer')
    order by 1
  loop
    execute format('create or replace trigger give_unordered_id before insert on %s for each row execute function give_unordered_id()', named);
  end loop;
end $$;
