-- What a bucket was told of the charging current (A) and of charging flags; infinite: nothing. null: of before, when nobody kept it.
alter table rollup
  add column charging_current_min double precision,
  add column charging_current_max double precision,
  add column charging_flag_min double precision,
  add column charging_flag_max double precision;
