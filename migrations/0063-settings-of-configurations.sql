-- With which settings of the portal a configuration was made: it is outdated when they change. null: made before this was kept.
alter table logger_config
  add column address text,                         -- PUBLIC_URL
  add column settings_digest text;                 -- of all of them (writers/configuration-settings.ts)
