import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/platform/database.ts';
import { migrate, migrateTo, readMigrations } from '#server/platform/migrate.ts';
import { SCHEMA } from '#server/schema.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ bare: true });
  const before = (await readMigrations(SCHEMA.migrations)).filter((name) => name < '0061');
  await inTransaction(database.pool, (client) => migrateTo(client, SCHEMA.migrations, before));
  await database.pool.query(`
    insert into object (logger_serial, key, size, etag, content_type, log_stored_at, outcome)
    select '7000001', outcome, 0, '', '', now(), outcome
    from unnest(array['0 metingen', '0 metingen; Het gzip-bestand is afgekapt.', '12 metingen', 'niet gedecodeerd']) as outcome`);
  await database.pool.query(`
    insert into object (logger_serial, key, size, etag, content_type, outcome)
    select '7000002', outcome, 0, '', '', outcome from unnest(array['bewaard', 'meting', 'status']) as outcome`);
  await migrate(database.pool, SCHEMA);
});
afterAll(() => database.drop());

async function outcomesOf(loggerSerial: string): Promise<string[]> {
  const { rows } = await database.pool.query(
    'select outcome from object where logger_serial = $1 order by id',
    [loggerSerial],
  );
  return rows.map(({ outcome }) => outcome);
}

test('a log file without readings from before reasons were stored shows that there is no reason (55.22)', async () => {
  expect(await outcomesOf('7000001')).toEqual([
    '0 metingen; reden niet vastgelegd: decodeer de logbestanden opnieuw',
    '0 metingen; Het gzip-bestand is afgekapt.',
    '12 metingen',
    'niet gedecodeerd',
  ]);
});

test('a document with a formerly unknown name is listed as not read (55.50)', async () => {
  expect(await outcomesOf('7000002')).toEqual(['niet gedecodeerd', 'meting', 'status']);
});
