-- Returns the id for the n-th number of a sequence, from 2^30 to 2^31 - 1: a permutation under the key of this database (a
-- Feistel network of 8 rounds on two halves of 15 bits). No two numbers share an id, and an id reveals neither the number of
-- rows of all organizations nor when a row was inserted. The ids of earlier versions are below 2^30 and stay.
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

-- Tables whose ids occur in answers to customers, in addresses of pages and in messages to webhooks.
create or replace trigger give_unordered_id before insert on account for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on alert for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on alert_mute for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on alert_rule for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on applicant for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on assignment for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on charging_tariff for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on contact for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on factor for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on invitation for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on label for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on maintenance_plan for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on maintenance_template for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on maintenance_template_task for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on organization for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on project for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on project_exception for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on report_factor for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on report_subscription for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on session for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on stream for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on terrein for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on webhook for each row execute function give_unordered_id();
create or replace trigger give_unordered_id before insert on webhook_delivery for each row execute function give_unordered_id();
