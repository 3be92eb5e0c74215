import { fileURLToPath } from 'node:url';
import type { Schema } from './platform/migrate.ts';
import { expandSql } from './telemetry/expand-sql.ts';

/** The portal's tables (migrations/), and the functions and triggers beside the code that calls them (sql/). */
export const SCHEMA: Schema = {
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
  routines: fileURLToPath(new URL('.', import.meta.url)),
  expand: expandSql,
};
