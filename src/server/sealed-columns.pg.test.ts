import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEALED_COLUMNS } from './sealed-columns.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** Columns of type bytea that are not encrypted, such as files. Columns with hashes are recognized by the end of their name. */
const NOT_SEALED = [
  'factor.public_key',
  // The key hides the order of rows from customers, not from a reader of the database.
  'id_key.key',
  'machine_file.body',
  'object.body',
  'object_chunk.data',
  'part_chunk.data',
  'quarantine.body',
  'reading_file.content',
  'reading_file.sampled',
  'recovery_code.salt',
  // A sample that shows which key is in use; a rotation re-encrypts it too.
  'secrets_check.sealed',
];

test('every bytea column is listed as sealed or not sealed, so that a key rotation includes it (13.10d)', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and udt_name = 'bytea' order by 1`,
  );
  const others = rows.map(({ name }) => name).filter((name) => !name.endsWith('_hash'));
  expect(others).toEqual([...Object.keys(SEALED_COLUMNS), ...NOT_SEALED].sort());
});
