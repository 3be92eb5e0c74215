import { fileURLToPath } from 'node:url';
import type { RoleRights } from './platform/application-role.ts';
import type { Database } from './platform/database.ts';
import { JOBS_SCHEMA } from './platform/jobs.ts';
import type { Schema } from './platform/migrate.ts';
import { findShards } from './platform/shards.ts';
import { expandSqlColumnLists } from './telemetry/expand-sql.ts';

/** The portal's tables (migrations/), and the functions and triggers beside the code that calls them (sql/). */
export const SCHEMA: Schema = {
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
  routines: fileURLToPath(new URL('.', import.meta.url)),
  expand: expandSqlColumnLists,
  delegated: 'store_readings',
  // Tables that grow with time, or are written with every upload (docs/decisions/0053-shards.md).
  spread: [
    'alert_cursor',
    'changed_history',
    'charge_forecast',
    'charging_session',
    'day_cursor',
    'day_figures',
    'dm1_day',
    'erased_reading',
    'fault_episode',
    'latest',
    'presence',
    'reading',
    'reading_file',
    'redecoded',
    'rollup',
    'terrein_presence',
  ],
};

/** Rights of the portal's role if another role owns the tables: it may read and change every table that is not listed here. */
export const applicationRightsOf = async (db: Database): Promise<RoleRights> => ({
  schemas: [...new Set(['public', JOBS_SCHEMA, ...(await findShards(db))])],
  appendOnly: ['audit'],
  readOnly: ['id_key', 'schema_migration', 'schema_routine'],
});
