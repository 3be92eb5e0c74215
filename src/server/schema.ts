import { fileURLToPath } from 'node:url';
import type { Rights } from './platform/application-role.ts';
import { JOBS_SCHEMA } from './platform/jobs.ts';
import type { Schema } from './platform/migrate.ts';
import { expandSql } from './telemetry/expand-sql.ts';

/** The portal's tables (migrations/), and the functions and triggers beside the code that calls them (sql/). */
export const SCHEMA: Schema = {
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
  routines: fileURLToPath(new URL('.', import.meta.url)),
  expand: expandSql,
};

/** What the portal's own role may do with them, where the tables are another's; a new table it may read and change. */
export const RIGHTS: Rights = {
  schemas: ['public', JOBS_SCHEMA],
  appendOnly: ['audit'],
  readOnly: ['schema_migration', 'schema_routine'],
};
