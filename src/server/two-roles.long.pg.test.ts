import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storedRows } from '#server/telemetry/test/stored-rows.ts';
import { openDatabaseToBackUp, openRestoreTarget } from './backup/open-database.ts';
import { runCommand } from './backup/test/run.ts';
import { readConfig } from './config.ts';
import { storeTestReadings } from './history/test/readings.ts';
import { openDatabase } from './open-database.ts';
import { deriveSecrets } from './platform/secrets.ts';
import { findDebianPostgres } from './test/external-programs.ts';
import { makeLoggers } from './test/loggers.ts';
import { databaseStatementOfManual, roleStatementsOfManual } from './test/manual.ts';
import { databaseUrlAs, startServer, type TestPostgresServer } from './test/own-server.ts';
import { findFreePort, startPortal, untilHealthy } from './test/running-portal.ts';

const programs = findDebianPostgres();
const SECRETS_KEY = '11'.repeat(32);
const PASSWORD = 'wachtwoord';
const NOW = Date.now();

describe.skipIf(!programs)('on a PostgreSQL with the two roles of the manual (postgresql-15)', () => {
  let server: TestPostgresServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'werkstroom-two-roles-'));
    server = await startServer(programs as string);
    await server.asSuperuser(roleStatementsOfManual(PASSWORD));
    for (const name of ['copy', 'fresh']) await server.asSuperuser(databaseStatementOfManual(name));
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const urlOf = (user: string, database = 'werkstroom', password = PASSWORD): string =>
    databaseUrlAs(server.url, { user, password }, database).connectionString;
  const owner = (database?: string) => urlOf('werkstroom', database);
  const application = (database?: string) => urlOf('werkstroom_app', database);
  const both = (database?: string) => ({
    MIGRATION_DATABASE_URL: owner(database),
    DATABASE_URL: application(database),
    DATA_DIR: folder,
    SECRETS_KEY,
  });
  const open = async (settings: Record<string, string>) => {
    const database = await openDatabase(
      readConfig({ DATA_DIR: folder, ...settings }),
      pino({ level: 'silent' }),
    );
    await database.close();
    return database.warnings;
  };

  test('a backup of the running portal is restored into a new database, whose portal has the same readings (54.1)', async () => {
    const portal = startPortal(folder, await findFreePort(), both());
    await untilHealthy(portal);
    const database = await openDatabase(readConfig(both()), pino({ level: 'silent' }));
    const [logger] = await makeLoggers(database.pool, deriveSecrets(SECRETS_KEY), 1);
    const streamId = logger?.streamId as number;
    const readings = [0, 20].flatMap((days) =>
      Array.from({ length: 50 }, (_, n) => ({
        time: NOW - days * 86_400_000 - n * 10_000,
        signals: { Soc1: n, MotorSpeed: 900 },
      })),
    );
    await storeTestReadings(database.pool, streamId, readings);
    await database.close();

    const file = join(folder, 'werkstroom.backup');
    const made = await runCommand('backup', file, both());
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toMatch(/^\S+: \d+ rows of \d+ tables and 0 waiting jobs, \d+ bytes, read back\.\n$/);
    // The portal still works after the backup, so its role has kept its rights.
    expect((await fetch(`${portal.address}/api/health`)).status).toBe(200);
    await portal.end('SIGTERM');

    const restored = await runCommand('restore', file, both('copy'));
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    const again = startPortal(folder, await findFreePort(), both('copy'));
    await untilHealthy(again);
    const copy = await openDatabase(readConfig(both('copy')), pino({ level: 'silent' }));
    const rows = await storedRows(copy.pool, streamId, ['soc1']);
    expect(rows).toHaveLength(100);
    expect(rows.reduce((sum, { soc1 }) => sum + (soc1 ?? 0), 0)).toBe(2 * 1225);
    await copy.close();
    await again.end('SIGTERM');
    expect(again.output()).not.toMatch(/"level":(?:[45]0|60)/);
  });

  const ALONE =
    /^DATABASE_URL signs in as werkstroom_app, which does not own its tables: werkstroom does\. Set MIGRATION_DATABASE_URL to the address of werkstroom, beside DATABASE_URL/;
  test.each<[string, () => Record<string, string>, RegExp]>([
    ['the application role alone', () => ({ DATABASE_URL: application() }), ALONE],
    [
      'the two addresses swapped',
      () => ({ DATABASE_URL: owner(), MIGRATION_DATABASE_URL: application() }),
      /^MIGRATION_DATABASE_URL signs in as werkstroom_app, .* The addresses of MIGRATION_DATABASE_URL and DATABASE_URL are swapped\. Nothing was changed\.$/,
    ],
    [
      "the owner's address with a wrong password",
      () => ({ ...both(), MIGRATION_DATABASE_URL: urlOf('werkstroom', 'werkstroom', 'fout') }),
      /^The database of MIGRATION_DATABASE_URL cannot be used: password authentication failed/,
    ],
    [
      "the application role's address with a wrong password",
      () => ({ ...both(), DATABASE_URL: urlOf('werkstroom_app', 'werkstroom', 'fout') }),
      /^The database of DATABASE_URL cannot be used: password authentication failed/,
    ],
    [
      'a new database and the application role alone',
      () => ({ DATABASE_URL: application('fresh') }),
      /^DATABASE_URL signs in as werkstroom_app, which may not create tables and schemas in this database\. Set MIGRATION_DATABASE_URL to the address of the database's owner/,
    ],
    [
      'a new database and the addresses swapped',
      () => ({ DATABASE_URL: owner('fresh'), MIGRATION_DATABASE_URL: application('fresh') }),
      /^MIGRATION_DATABASE_URL signs in as werkstroom_app, which may not create tables .* Give MIGRATION_DATABASE_URL the address of the database's owner\./,
    ],
    [
      'an address where nobody listens',
      () => ({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }),
      /^The database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
    ],
  ])(
    'the portal refuses to open a database by %s, and names the setting (54.1)',
    async (_what, settings, sentence) => {
      await expect(open(settings())).rejects.toThrow(sentence);
    },
  );

  test('a backup and a restore without the owner role fail with an error that names the missing setting (54.1)', async () => {
    const config = (settings: Record<string, string>) => readConfig({ DATA_DIR: folder, ...settings });
    await expect(openDatabaseToBackUp(config({ DATABASE_URL: application() }))).rejects.toThrow(ALONE);
    await expect(openRestoreTarget(config({ DATABASE_URL: application('fresh') }))).rejects.toThrow(
      /may not create tables .*MIGRATION_DATABASE_URL/,
    );
  });

  test('a restore detects a connected portal, whichever role the portal uses (54.1)', async () => {
    const database = await openDatabase(readConfig(both()), pino({ level: 'silent' }));
    await database.pool.query('select 1');
    await expect(openRestoreTarget(readConfig(both()))).rejects.toThrow(/^Another client is connected/);
    await database.close();
  });

  test('a portal whose DATABASE_URL and MIGRATION_DATABASE_URL use one role works with a warning (54.1)', async () => {
    expect(await open({ DATABASE_URL: owner(), MIGRATION_DATABASE_URL: owner() })).toEqual([
      expect.stringContaining('has the rights of who owns the tables'),
    ]);
  });

  test('a database with tables of another program is refused (54.1)', async () => {
    await server.asSuperuser(databaseStatementOfManual('theirs'));
    await server.asSuperuser('create table invoice (n integer); create table customer (n integer)', 'theirs');
    await expect(open(both('theirs'))).rejects.toThrow(
      /^The database of MIGRATION_DATABASE_URL has tables of another program \(customer, invoice\)/,
    );
  });
});
