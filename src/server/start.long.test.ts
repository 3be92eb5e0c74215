import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SCRIPT_HEADERS } from './test/by-script.ts';
import { testDatabase } from './test/database.ts';
import { databaseUrlOf } from './test/postgres.ts';
import { findFreePort, startPortal, untilHealthy } from './test/running-portal.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-start-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Returns the output of a process that refuses to start. */
async function refusal(settings: Record<string, string>, port = 0): Promise<string> {
  const portal = startPortal(dataDir, port, { LOG_LEVEL: 'warn', ...settings });
  expect(await portal.exited).toBe(1);
  return portal.output();
}

describe('the first start', () => {
  test('the first start creates an administrator once, with a password that only the folder’s owner can read (13.10p)', async () => {
    const port = await findFreePort();
    let portal = startPortal(dataDir, port);
    await untilHealthy(portal);
    const file = join(dataDir, 'first-admin.txt');
    const [email, password] = (await readFile(file, 'utf8')).trim().split('\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).toBe(0o600);
    const login = () =>
      fetch(`${portal.address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
    const answer = await login();
    expect(answer.status).toBe(200);
    expect((await answer.json()) as object).toMatchObject({ user: { organization: 'admin' } });
    const changed = await fetch(`${portal.address}/api/account/password`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] as string,
        ...SCRIPT_HEADERS,
      },
      body: JSON.stringify({ present: password, new: 'een eigen wachtwoord' }),
    });
    expect(changed.status).toBe(200);
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
    await portal.end('SIGTERM');
    // AUTH-11: no secret appears in a log.
    expect(portal.output()).toContain(file);
    expect(portal.output()).not.toContain(password);

    portal = startPortal(dataDir, port);
    await untilHealthy(portal);
    expect((await login()).status).toBe(401);
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
    await portal.end('SIGTERM');
  });

  test('the first start uses the administrator of the settings', async () => {
    const database = await testDatabase();
    const DATABASE_URL = databaseUrlOf(database.connection);
    const portal = startPortal(dataDir, await findFreePort(), {
      DATABASE_URL,
      ADMIN_EMAIL: 'baas@klant.nl',
      ADMIN_PASSWORD: 'a long password, this',
    });
    await untilHealthy(portal);
    const answer = await fetch(`${portal.address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'BAAS@klant.nl', password: 'a long password, this' }),
    });
    expect(answer.status).toBe(200);
    await portal.end('SIGTERM');
    await database.drop();
  });
});

test('a public portal warns once that it lacks mail and backups (55.2)', async () => {
  const settings = {
    PUBLIC_URL: 'https://portaal.klant.nl',
    LOG_LEVEL: 'warn',
    REQUIRE_SECOND_FACTOR: 'admin',
  };
  const portal = startPortal(dataDir, await findFreePort(), settings);
  await untilHealthy(portal);
  await portal.end('SIGTERM');
  const lines = portal.output().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(/^SMTP_URL is not set/),
    expect.stringMatching(/^BACKUP_DIR is not set/),
  ]);
});

describe('a failing start gives the reason in a sentence', () => {
  test('a start with a wrong setting fails with a sentence that gives the reason', async () => {
    expect(await refusal({ LOG_LEVEL: 'loud' })).toBe(
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent (it is "loud").\n',
    );
  });

  test('a start with a port in use fails with a sentence that gives the reason', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => other.once('listening', listening));
    const { port } = other.address() as { port: number };
    const database = await testDatabase();
    const settings = { DATABASE_URL: databaseUrlOf(database.connection) };
    expect(await refusal(settings, port)).toContain(`Port ${port} of 127.0.0.1 is in use.`);
    other.close();
    await database.drop();
  });

  test.each(['file', 'file/data', '/proc/werkstroom'])(
    'a start with a DATA_DIR that cannot be a folder fails with a sentence that gives the reason: %s',
    async (path) => {
      await writeFile(join(dataDir, 'file'), '');
      expect(await refusal({ DATA_DIR: resolve(dataDir, path) })).toMatch(
        /^DATA_DIR .* cannot be written: .*\n$/,
      );
    },
  );

  test.skipIf(process.getuid?.() === 0)(
    'a start with a DATA_DIR that may not be written fails with a sentence that gives the reason (skipped as root, who may)',
    async () => {
      await chmod(dataDir, 0o500);
      expect(await refusal({})).toMatch(/^DATA_DIR .* cannot be written: .*EACCES/);
      await chmod(dataDir, 0o700);
    },
  );

  test('a start with a database that is down fails with a sentence that gives the reason', async () => {
    const said = await refusal({ DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' });
    expect(said).toMatch(/^The database of DATABASE_URL cannot be used: .*ECONNREFUSED.*\n$/);
    expect(said).not.toContain('hunter2');
  });

  test('a start with a database of a newer version fails with a sentence that gives the reason', async () => {
    const database = await testDatabase();
    await database.pool.query(`insert into schema_migration (name, sha256) values ('9999-future.sql', 'x')`);
    expect(await refusal({ DATABASE_URL: databaseUrlOf(database.connection) })).toContain(
      'made by a newer Werkstroom (it has 9999-future.sql)',
    );
    await database.drop();
  });

  test('a start with a database from before the baseline migration fails with a sentence that gives the reason', async () => {
    const database = await testDatabase();
    await database.pool.query(
      `update schema_migration set name = '0001-accounts.sql' where name = '0001-baseline.sql'`,
    );
    expect(await refusal({ DATABASE_URL: databaseUrlOf(database.connection) })).toMatch(
      /^This database was made before Werkstroom 1\.0 .* \(the demo: npm run demo -- --fresh\)\.\n$/,
    );
    await database.drop();
  });

  test('a start with a wrong or absent SECRETS_KEY for an existing database fails, and creates no key (55.1)', async () => {
    const database = await testDatabase();
    const DATABASE_URL = databaseUrlOf(database.connection);
    const first = startPortal(dataDir, await findFreePort(), { DATABASE_URL, SECRETS_KEY: '11'.repeat(32) });
    await untilHealthy(first);
    const said = await refusal({ DATABASE_URL, SECRETS_KEY: '22'.repeat(32) });
    expect(said).toMatch(/^SECRETS_KEY \(or secrets\.key in DATA_DIR\) is not the key/);
    expect(await refusal({ DATABASE_URL })).toMatch(
      /^The secrets in this database need their key: SECRETS_KEY is not set, .* No key was made\.\n$/,
    );
    expect(existsSync(join(dataDir, 'secrets.key'))).toBe(false);
    await first.end('SIGTERM');
    await database.drop();
  });

  test.each([
    ['a broken secrets.key', {}, /^.*secrets\.key does not hold 64 hexadecimal digits\. Restore it .*\n$/],
    ['a SECRETS_KEY that is too short', { SECRETS_KEY: 'ab12' }, /^SECRETS_KEY must be 64 hexa.*\n$/],
    ['a SECRETS_KEY that is no hex', { SECRETS_KEY: 'zz'.repeat(32) }, /^SECRETS_KEY must be 64 hexa.*\n$/],
  ])('a start fails with a sentence for %s (AUTH-11)', async (_what, settings, sentence) => {
    await writeFile(join(dataDir, 'secrets.key'), 'half of it');
    expect(await refusal({ LOG_LEVEL: 'fatal', ...settings })).toMatch(sentence);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('a start with a Node that is too old fails with a sentence that gives the reason', () => {
    const old = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
      const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
      return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 99) < 24;
    });
    if (!old) return; // Only a machine with an old Node can run this.
    const { status, stderr } = spawnSync(old, ['werkstroom.js', 'start'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Werkstroom needs Node 24; this is v[\d.]+\. Start it with npm .*\n$/),
    ]);
  });
});
