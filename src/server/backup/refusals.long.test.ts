import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createZstdDecompress, zstdCompressSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isKeyOfDatabase } from '#server/platform/secrets.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { type TestPortal, testPortal } from '#server/test/portal.ts';
import { databaseUrlOf } from '#server/test/postgres.ts';
import { verifyArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { FrameWriter, readFrames } from './frames.ts';
import { listDatabaseObjects } from './tables.ts';
import { runCommand } from './test/run.ts';

const SECRETS_KEY = '11'.repeat(32);
let portal: TestPortal;
let folder: string;
let target: TestDatabase;
let backup: string;
let settings: Record<string, string>;
let there: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'werkstroom-refusals-'));
  portal = await testPortal();
  await portal.organization('klant');
  await isKeyOfDatabase(portal.pool, portal.secrets);
  target = await testDatabase({ bare: true });
  // The restore requires that no other client is connected.
  await target.pool.end();
  settings = { DATABASE_URL: databaseUrlOf(portal.connection), DATA_DIR: join(folder, 'data') };
  there = { DATABASE_URL: databaseUrlOf(target.connection), DATA_DIR: join(folder, 'data'), SECRETS_KEY };
  backup = join(folder, 'good.backup');
  expect(await runCommand('backup', backup, settings)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await portal.close();
  await target.drop().catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

/** Returns the contents of the database, which must stay empty. */
async function contents(): Promise<string[]> {
  const client = new pg.Client(target.connection);
  await client.connect();
  try {
    return await listDatabaseObjects(client);
  } finally {
    await client.end();
  }
}

/** Makes a changed copy of the intact backup, and returns its path. */
async function changed(name: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, change(await readFile(backup)));
  return path;
}

describe('a restore changes nothing', () => {
  test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    ['was cut off', (bytes) => bytes.subarray(0, bytes.length - 40), /cut off/],
    ['has a bit that flipped', (bytes) => flip(bytes, bytes.length >> 1), /damaged/],
    ['is none', () => Buffer.from('hallo\n'), /is no backup of Werkstroom/],
    ['is empty', () => Buffer.alloc(0), /cut off/],
  ])('a restore of a file that %s changes nothing (INGEST-02)', async (_what, change, sentence) => {
    const path = await changed('changed.backup', change);
    await expect(verifyArchive(path, () => {})).rejects.toThrow(sentence);
    await expect(verifyArchive(path, () => {})).rejects.toThrow(BackupError);
  });

  test('a restore of a truncated file changes nothing (INGEST-02)', async () => {
    const output = await runCommand(
      'restore',
      await changed('cut.backup', (bytes) => bytes.subarray(0, -40)),
      there,
    );
    expect(output).toEqual({
      code: 1,
      stdout: '',
      auditRows: [],
      stderr: 'The backup was cut off: its end is missing.\n',
    });
    expect(await contents()).toEqual([]);
  });

  test('a restore of a backup with a missing row changes nothing (INGEST-02)', async () => {
    // The file is intact, but its table of organizations has one row fewer than the count at its end.
    const path = join(folder, 'less.backup');
    const parts: Buffer[] = [];
    const writer = new FrameWriter();
    let table = '';
    for await (const { kind, body } of readFrames(createReadStream(backup).pipe(createZstdDecompress()))) {
      if (kind === 'T') ({ table } = JSON.parse(body.toString()));
      const more = kind === 'E' && table === 'organization';
      if (more) parts.push(writer.json('E', { rows: JSON.parse(body.toString()).rows + 1 }));
      else parts.push(writer.frame(kind as 'D', body));
    }
    await writeFile(path, zstdCompressSync(Buffer.concat([...parts, writer.end()])));
    const output = await runCommand('restore', path, there);
    expect(output).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The backup is damaged.*\n$/) });
    expect(await contents()).toEqual([]);
  });

  test('a restore with a key that cannot decrypt the secrets changes nothing (INGEST-02)', async () => {
    const output = await runCommand('restore', backup, { ...there, SECRETS_KEY: '22'.repeat(32) });
    expect(output).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SECRETS_KEY is not the key .*\n$/),
    });
    expect(await contents()).toEqual([]);
  });

  test('a restore into a database that is not empty changes nothing (INGEST-02)', async () => {
    const output = await runCommand('restore', backup, {
      ...there,
      DATABASE_URL: settings.DATABASE_URL as string,
    });
    expect(output.code).toBe(1);
    // The restore is refused because the portal uses this database. Without the portal it would be refused because of the tables.
    expect(output.stderr).toMatch(/Another client is connected .*Stop the portal first/);
    const client = new pg.Client(target.connection);
    await client.connect();
    await client.query('create table foreign_table (a integer)');
    await client.end();
    expect(await runCommand('restore', backup, there)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not empty: it has foreign_table\. .*Nothing was changed\.\n$/),
    });
    expect(await contents()).toEqual(['foreign_table']);
    const again = new pg.Client(target.connection);
    await again.connect();
    await again.query('drop table foreign_table');
    await again.end();
  });

  test('a restore of a backup of a newer Werkstroom changes nothing (INGEST-02)', async () => {
    const newer = join(folder, 'newer.backup');
    await portal.pool.query(`insert into schema_migration (name, sha256) values ('9999-later.sql', 'x')`);
    expect(await runCommand('backup', newer, settings)).toMatchObject({ code: 0 });
    await portal.pool.query(`delete from schema_migration where name = '9999-later.sql'`);
    expect(await runCommand('restore', newer, there)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/made by another Werkstroom .*9999-later\.sql.*Nothing was changed\.\n$/),
    });
    expect(await contents()).toEqual([]);
  });

  test('a restore of a backup from before the baseline migration changes nothing (INGEST-02)', async () => {
    const early = join(folder, 'early.backup');
    const rename = 'update schema_migration set name = $2 where name = $1';
    await portal.pool.query(rename, ['0001-baseline.sql', '0001-accounts.sql']);
    expect(await runCommand('backup', early, settings)).toMatchObject({ code: 0 });
    await portal.pool.query(rename, ['0001-accounts.sql', '0001-baseline.sql']);
    expect(await runCommand('restore', early, there)).toEqual({
      code: 1,
      stdout: '',
      auditRows: [],
      stderr: expect.stringMatching(/^The backup was made before Werkstroom 1\.0 .*Nothing was changed\.\n$/),
    });
    expect(await contents()).toEqual([]);
  });
});

test('a restore without SECRETS_KEY succeeds and names the file of the key that the portal needs (INGEST-02)', async () => {
  const { SECRETS_KEY: _, ...without } = there;
  const output = await runCommand('restore', backup, without);
  expect([output.code, output.stderr]).toEqual([0, '']);
  expect(output.stdout).toMatch(/are restored\.\nThere is no key yet: .*secrets\.key/);
  expect(await contents()).toContain('organization');
});

describe('a failed backup leaves no file', () => {
  test('a backup fails if the file exists or another backup is being written, and leaves no other file (INGEST-02)', async () => {
    await writeFile(join(folder, 'there.backup'), 'mine');
    const output = await runCommand('backup', join(folder, 'there.backup'), settings);
    expect(output).toMatchObject({ code: 1, stderr: expect.stringMatching(/is there already.*\n$/) });
    expect(await readFile(join(folder, 'there.backup'), 'utf8')).toBe('mine');
    await writeFile(join(folder, 'x.backup.part'), '');
    expect(await runCommand('backup', join(folder, 'x.backup'), settings)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/another backup is being written/),
    });
    expect(existsSync(join(folder, 'x.backup'))).toBe(false);
  });

  test('a backup leaves no file if the folder is not writable or the disk is full (INGEST-02)', async () => {
    expect(await runCommand('backup', join(folder, 'no', 'such.backup'), settings)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/such\.backup cannot be written: .*\n$/),
    });
    // A limit on the size of files fails a write as a full disk does (setrlimit(2), RLIMIT_FSIZE).
    const full = join(folder, 'full.backup');
    const output = await runCommand('backup', full, settings, 'ulimit -f 1; exec "$0" "$@"');
    expect(output).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no room .*Nothing is left of it\.\n$/),
    });
    expect([existsSync(full), existsSync(`${full}.part`)]).toEqual([false, false]);
  });

  test('a backup leaves no file and makes no database if DATA_DIR holds no Werkstroom (INGEST-02)', async () => {
    const empty = join(folder, 'empty');
    const output = await runCommand('backup', join(folder, 'e.backup'), { DATA_DIR: empty });
    expect(output).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no Werkstroom in DATA_DIR/),
    });
    expect([existsSync(empty), existsSync(join(folder, 'e.backup.part'))]).toEqual([false, false]);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] as number) ^ 1;
  return bytes;
}
