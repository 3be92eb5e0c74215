import { test } from 'vitest';

// vitest.config.ts runs this file when there is no external PostgreSQL; `.ci/run` installs one.
test.skip("storage, ingest, jobs and two processes on a customer's own PostgreSQL: set EXTERNAL_DATABASE_URL, or install postgresql-15", () => {});
