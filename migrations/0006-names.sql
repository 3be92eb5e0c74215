-- Serial numbers and loggerids that differ in upper and lower case only are one. Two machines that have one now have
-- each their own history: only a person can say which of them is called otherwise, so nothing is renamed here.

do $$
declare
  clashes text;
begin
  select string_agg(names, '; ') into clashes from (
    select string_agg(serial, ' and ' order by id) as names from stream
    where deleted_at is null group by lower(serial) having count(*) > 1 order by 1 limit 20
  ) as each;
  if clashes is not null then
    raise exception 'These serial numbers differ in upper and lower case only, and are one from this version on: %. Nothing was changed. Start the version before this one, give all but one of each another serial number or delete them, and update again.', clashes;
  end if;
end $$;

drop index stream_serial;
create unique index stream_serial on stream (lower(serial)) where deleted_at is null;

-- The logger that was named when the machine was made: until one is bound, the machine's page goes on with it.
alter table machine add column planned_logger text;

-- Sessions that ended because their organization was switched off, until they would have ended by themselves: who comes
-- with one is told why.
create table ended_session (
  token_hash bytea primary key,
  account_id integer not null references account on delete cascade,
  expires_at timestamptz not null
);
create index ended_session_account on ended_session (account_id);
