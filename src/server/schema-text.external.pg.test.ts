import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from './platform/migrate.ts';
import { SCHEMA } from './schema.ts';
import { CITUS_CONNECTION } from './test/cluster.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';
import { schemaText } from './test/schema-text.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ bare: true });
});
afterAll(() => database.drop());

const HEAD = `-- The schema of a new database, which the migrations and the SQL beside the code create. Generated: change a migration or an sql/ folder,
-- then run \`npm run schema\`. A test compares this file with a new database. Not shown: the bodies of functions, the weekly partitions
-- and the tables of pg-boss. The tables of \`telemetry\` are in \`public\`, or in each shard (docs/decisions/0053-shards.md).

`;

// The extension Citus adds views of its own, and a cluster has more than one shard.
test.skipIf(CITUS_CONNECTION)('docs/schema.sql is the schema of a new database (46.2)', async () => {
  await migrate(database.pool, SCHEMA, 1);
  const text = HEAD + (await schemaText(database.pool));
  await expect(text, 'docs/schema.sql is outdated: npm run schema').toMatchFileSnapshot(
    '../../docs/schema.sql',
  );
});
