import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { endPool, openPool } from './platform/database.ts';
import { deriveSecrets, isKeyOfDatabase } from './platform/secrets.ts';
import { type TestDatabase, testDatabase } from './test/database.ts';
import { databaseUrlOf } from './test/postgres.ts';
import { findFreePort, startPortal, untilHealthy } from './test/running-portal.ts';
import { splitStderr } from './test/split-stderr.ts';

const [FIRST, SECOND, THIRD] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [string, string, string];
const KEYS = 300;
let database: TestDatabase;
let DATABASE_URL: string;
let dataDir: string;

/** These tests start many processes one after the other. */
vi.setConfig({ testTimeout: 300_000 });

beforeAll(async () => {
  database = await testDatabase();
  DATABASE_URL = databaseUrlOf(database.connection);
  const secrets = deriveSecrets(FIRST);
  const sealed = Array.from({ length: KEYS }, (_, n) =>
    secrets.seal('writer_key.secret', `K${n + 1}`, `secret ${n}`),
  );
  await database.pool.query(`insert into stream (kind, serial, alias) values ('machine', 'S-1', 'Een')`);
  await database.pool.query(`insert into writer (stream_id, logger_serial) select id, '0000001' from stream`);
  await database.pool.query(
    `insert into writer_key (access_key, writer_id, secret)
     select 'K' || n, w.id, sealed from writer w, unnest($1::bytea[]) with ordinality as k (sealed, n)`,
    [sealed],
  );
  expect(await isKeyOfDatabase(database.pool, secrets)).toBe(true);
  // The command refuses to run while another client is connected.
  await database.pool.end();
});
afterAll(() => database.drop());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'werkstroom-rotate-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Runs `npm run rotate-key` with these settings only. */
function rotate(
  settings: Record<string, string>,
): Promise<{ code: number; output: string; auditRows: unknown }> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...settings };
  return new Promise((done) => {
    execFile(process.execPath, ['werkstroom.js', 'rotate-key'], { env }, (error, stdout, stderr) =>
      done({
        code: error ? Number(error.code) : 0,
        output: stdout + splitStderr(stderr).stderr,
        auditRows: splitStderr(stderr).auditRows,
      }),
    );
  });
}

/** Returns whether the database uses this key, and whether the key decrypts the secrets of all loggers' keys. */
async function opensWith(key: string): Promise<boolean> {
  const pool = openPool(database.connection, () => {});
  try {
    const secrets = deriveSecrets(key);
    if (!(await isKeyOfDatabase(pool, secrets))) return false;
    const { rows } = await pool.query('select access_key, secret from writer_key');
    const opened = rows.map((row) => secrets.open('writer_key.secret', row.accessKey, row.secret));
    return rows.length === KEYS && new Set(opened).size === KEYS;
  } finally {
    await endPool(pool);
  }
}

const keyIn = async (name: string) => (await readFile(join(dataDir, name), 'utf8')).trim();
const keep = (key: string, name = 'secrets.key') =>
  writeFile(join(dataDir, name), `${key}\n`, { mode: 0o600 });

test('a key rotation from SECRETS_KEY_OLD to SECRETS_KEY re-encrypts every value, and can be repeated (13.10e)', async () => {
  const settings = { DATABASE_URL, SECRETS_KEY_OLD: FIRST, SECRETS_KEY: SECOND };
  const { code, output, auditRows } = await rotate(settings);
  expect(output).toMatch(
    /^300 values are encrypted with the new key now\.\nIt is SECRETS_KEY of the settings/,
  );
  expect(code).toBe(0);
  expect(await opensWith(FIRST)).toBe(false);
  expect(await opensWith(SECOND)).toBe(true);
  // The audit row of the command contains neither key.
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query(
    `select actor, action, data from audit where action = 'secrets.rotate'`,
  );
  await client.end();
  expect(rows).toEqual([{ actor: 'rotate-key', action: 'secrets.rotate', data: { values: KEYS } }]);
  expect(output).not.toMatch(new RegExp(`${FIRST}|${SECOND}`));
  // The committed row is written as a line of JSON too (13.9i).
  expect(auditRows).toEqual([expect.objectContaining({ action: 'secrets.rotate', data: { values: KEYS } })]);

  // Running the command again after it ended does no harm.
  expect(await rotate(settings)).toMatchObject({ code: 0, output: expect.stringContaining('already') });
  expect(await opensWith(SECOND)).toBe(true);
});

test('the key is rotated from the settings into a file, and from file to file, keeping the former file (13.10e)', async () => {
  expect(await rotate({ DATABASE_URL, SECRETS_KEY_OLD: SECOND })).toMatchObject({ code: 0 });
  const made = await keyIn('secrets.key');
  expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).toBe(0o600);
  expect(await opensWith(made)).toBe(true);

  const { code, output } = await rotate({ DATABASE_URL });
  expect(code).toBe(0);
  const next = await keyIn('secrets.key');
  expect(next).not.toBe(made);
  expect(await opensWith(next)).toBe(true);
  const kept = (await readdir(dataDir)).filter((name) => name.includes('.until-'));
  expect(await keyIn(kept[0] as string)).toBe(made);
  expect(output).toContain(kept[0]);
  expect((await readdir(dataDir)).filter((name) => name.includes('next'))).toEqual([]);

  // The key can also be rotated from the file into a setting.
  expect(await rotate({ DATABASE_URL, SECRETS_KEY: THIRD })).toMatchObject({ code: 0 });
  expect(await opensWith(THIRD)).toBe(true);
});

test('a key rotation with a wrong, absent or unchanged key is refused and changes nothing (13.10e)', async () => {
  const refused = async (settings: Record<string, string>, why: RegExp) => {
    const { code, output } = await rotate({ DATABASE_URL, ...settings });
    expect([code, output]).toEqual([1, expect.stringMatching(why)]);
    expect(await opensWith(THIRD)).toBe(true);
  };
  await refused({ SECRETS_KEY_OLD: FIRST, SECRETS_KEY: SECOND }, /another key than the one of until now/);
  await refused({ SECRETS_KEY: SECOND }, /There is no key to rotate/);
  await refused({ SECRETS_KEY_OLD: THIRD, SECRETS_KEY: THIRD }, /The new key is the one of until now/);
  await refused({ SECRETS_KEY_OLD: 'hunter2' }, /SECRETS_KEY_OLD must be 64 hexadecimal digits \(/);
  await keep('hunter2');
  await refused({}, /secrets\.key does not hold 64/);
});

test('a key rotation is refused and changes nothing while a portal is connected to the database (13.10e)', async () => {
  const portal = startPortal(dataDir, await findFreePort(), { DATABASE_URL, SECRETS_KEY: THIRD });
  await untilHealthy(portal);
  const { code, output } = await rotate({ DATABASE_URL, SECRETS_KEY_OLD: THIRD, SECRETS_KEY: FIRST });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/Another client is connected .* Stop every portal first/),
  ]);
  await portal.end('SIGTERM');
  expect(await opensWith(THIRD)).toBe(true);
});

test('a key rotation that cannot decrypt a value names that value and changes nothing (13.10e)', async () => {
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query(`select secret from writer_key where access_key = 'K7'`);
  await client.query(`update writer_key set secret = 'broken' where access_key = 'K7'`);
  const settings = { DATABASE_URL, SECRETS_KEY_OLD: THIRD, SECRETS_KEY: FIRST };
  // The test closes its connection first, because the command refuses to run while another client is connected.
  await client.end();
  const { code, output } = await rotate(settings);
  expect([code, output]).toEqual([1, expect.stringContaining('writer_key.secret of K7 cannot be opened')]);
  const again = new pg.Client(database.connection);
  await again.connect();
  await again.query(`update writer_key set secret = $1 where access_key = 'K7'`, [rows[0].secret]);
  await again.end();
  expect(await opensWith(THIRD)).toBe(true);
});

test('an embedded portal starts after its key was rotated, also if the rotation was killed just before or after its commit (13.10e)', async () => {
  const start = async () => {
    const portal = startPortal(dataDir, await findFreePort());
    await untilHealthy(portal);
    return portal;
  };
  const first = await start();
  expect((await rotate({})).output).toMatch(/^Process \d+ runs the database in DATA_DIR/);
  await first.end('SIGTERM');
  const before = await keyIn('secrets.key');
  expect(await rotate({})).toMatchObject({ code: 0 });
  const after = await keyIn('secrets.key');
  expect(after).not.toBe(before);

  // If the command is killed after its commit, secrets.key.next has the new key, which the next start of the portal moves to secrets.key.
  await rename(join(dataDir, 'secrets.key'), join(dataDir, 'secrets.key.next'));
  await keep(before);
  const second = await start();
  await second.end('SIGTERM');
  expect(await keyIn('secrets.key')).toBe(after);

  // If the command is killed before its commit, secrets.key.next has a key that only the next rotation uses.
  await keep(FIRST, 'secrets.key.next');
  const third = await start();
  await third.end('SIGTERM');
  expect(await keyIn('secrets.key')).toBe(after);
  expect(await rotate({})).toMatchObject({ code: 0 });
  expect(await keyIn('secrets.key')).toBe(FIRST);
});
