import { test } from 'vitest';

// vitest.config.ts runs this file in place of the tests that need an external PostgreSQL, if there is none. `.ci/run` installs one.
test.skip("storage, ingest, jobs and two processes on a customer's own PostgreSQL: set EXTERNAL_DATABASE_URL, or install postgresql-15", () => {});
