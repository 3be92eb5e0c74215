import { test } from 'vitest';

// What `npm test` shows where there is no PostgreSQL beside ours (vitest.config.ts); `.ci/run` installs one.
test.skip("storage, ingest, jobs and two processes on a customer's own PostgreSQL: set EXTERNAL_DATABASE_URL, or install postgresql-15", () => {});
