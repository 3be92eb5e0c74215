-- What reports to clients and subsidies say of a machine.
alter table machine
  add column registration_number text not null default '',  -- of its plate, or its code at RDW
  add column seb_category text check (seb_category in ('A', 'B', 'C')),
  add column power_kw double precision check (power_kw > 0);  -- continuous
