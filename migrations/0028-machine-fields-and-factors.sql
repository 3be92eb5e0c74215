-- What reports to clients and subsidies say of a machine.
alter table machine
  add column registration_number text not null default '',  -- of its plate, or its code at RDW
  add column seb_category text check (seb_category in ('A', 'B', 'C')),
  add column power_kw double precision check (power_kw > 0);  -- continuous

-- What an organization reckons with in its reports, and where it has that from. Never changed by an update of the portal.
create table report_factor (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  kind text not null check (kind in ('co2', 'diesel')),
  value double precision not null check (value >= 0),        -- kg CO2 per kWh; litres of diesel per hour
  first_day date not null,                                   -- in Amsterdam; until a newer one takes its place
  from_kw double precision,                                  -- of diesel: machines from this continuous power
  below_kw double precision,                                 -- up to below this one; null: no end
  compared_to text not null default '',                        -- of diesel: the machine that is not used
  source text not null,
  check ((kind = 'diesel') = (from_kw is not null) and from_kw < below_kw is not false)
);
create index report_factor_organization on report_factor (organization_id);
