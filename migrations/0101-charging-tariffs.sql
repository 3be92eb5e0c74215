-- Prices that an organization pays for charging (docs/decisions/0073-charging-costs.md). Prices exclude VAT, as the customer enters them.
create table charging_tariff (
  id integer generated always as identity primary key,
  organization_id integer not null references organization on delete cascade,
  terrein_id integer references terrein on delete cascade,  -- null: wherever no terrein's tariff holds
  first_day date not null,                         -- in Amsterdam; until a newer one takes its place
  last_day date,                                   -- null: no end
  day_price double precision not null check (day_price >= 0),  -- euro per kWh; of all hours where there is no night price
  night_price double precision check (night_price >= 0),
  night_from smallint not null check (night_from between 0 and 23),  -- hours of the clock in Amsterdam
  night_to smallint not null check (night_to between 0 and 23),
  night_weekend boolean not null,                  -- the night price holds on Saturday and Sunday
  check (last_day is null or last_day >= first_day),
  check (night_price is null or night_from <> night_to)
);
create index charging_tariff_organization on charging_tariff (organization_id);

-- Energy charged in each clock hour, mJ: of a day from its hour `charged_from_hour` on, of a session from the hour in which it began.
-- null: nothing was charged, or counted by an older version.
alter table day_figures
  add column charged_from_hour smallint,
  add column charged_hours bigint[];
alter table charging_session add column charged_hours bigint[];

insert into changed_history (stream_id, from_time) select stream_id, '-infinity' from latest where time > '-infinity';
