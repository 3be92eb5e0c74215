import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPool, type Pool } from '#server/platform/database.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { verifyArchive } from './archive.ts';
import { readBackupState, recordVerifiedBackup } from './backup-made.store.ts';
import { makeDueBackup, startScheduledBackups } from './scheduled-backups.ts';
import { runCommand } from './test/run.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Half an hour after 03:30, when the backup of that day was due. */
const FIRST = Date.parse('2026-01-15T04:00:00+01:00');

let database: TestDatabase;
let pool: Pool;
let parent: string;
let folder: string;
let warnings: string[];
beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.application, () => {});
  parent = await mkdtemp(join(tmpdir(), 'werkstroom-scheduled-'));
});
beforeEach(async () => {
  folder = await mkdtemp(join(parent, 'backups-'));
  warnings = [];
  await pool.query('delete from backup_made');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(parent, { recursive: true, force: true });
});
const stop = new AbortController();

const settings = (more: object = {}) => ({ folder, at: '03:30', keep: 3, ...more });
const make = (now: number, more: object = {}, signal = stop.signal) =>
  makeDueBackup(
    settings(more),
    { pool, owner: database.connection },
    signal,
    (_what, reason) => warnings.push(reason),
    () => now,
  );

test('the portal makes, verifies and records a backup once a day, and deletes the oldest beyond BACKUP_KEEP (54.2)', async () => {
  await writeFile(join(folder, 'werkstroom.backup'), 'of somebody else');
  await writeFile(join(folder, 'werkstroom-2025-12-31-0330.backup.part'), 'of a process that was killed');
  expect(await make(FIRST)).toBe(true);
  expect(await readdir(folder)).toEqual(['werkstroom-2026-01-15-0400.backup', 'werkstroom.backup']);
  const { rows, tables } = await verifyArchive(join(folder, 'werkstroom-2026-01-15-0400.backup'), () => {});
  expect(rows).toBeGreaterThan(0);
  expect(tables).toBeGreaterThan(50);
  const { verifiedAt = 0, dueAt } = await readBackupState(pool);
  expect(Math.abs(verifiedAt - Date.now())).toBeLessThan(60_000);
  expect(dueAt).toBe(Date.parse('2026-01-15T03:30:00+01:00'));
  const { rows: audited } = await pool.query(`select actor from audit where action = 'database.backup'`);
  expect(audited).toEqual([{ actor: 'BACKUP_AT' }]);

  expect(await make(FIRST + 5 * HOUR)).toBe(false);
  for (const days of [1, 2, 3]) expect(await make(FIRST + days * DAY)).toBe(true);
  expect(await readdir(folder)).toEqual([
    'werkstroom-2026-01-16-0400.backup',
    'werkstroom-2026-01-17-0400.backup',
    'werkstroom-2026-01-18-0400.backup',
    'werkstroom.backup',
  ]);
  expect(warnings).toEqual([]);
});

test('only one of two processes with the same schedule makes the backup (54.2)', async () => {
  const elsewhere = await mkdtemp(join(parent, 'elsewhere-'));
  const made = await Promise.all([make(FIRST), make(FIRST, { folder: elsewhere }), make(FIRST)]);
  expect(made.filter(Boolean)).toHaveLength(1);
  expect([...(await readdir(folder)), ...(await readdir(elsewhere))]).toHaveLength(1);
});

test.each<[string, () => Promise<string>, string]>([
  ['is not there', async () => join(folder, 'none'), 'de map van BACKUP_DIR is er niet'],
  [
    'is a file',
    async () => {
      await writeFile(join(folder, 'file'), '');
      return join(folder, 'file');
    },
    'BACKUP_DIR is geen map',
  ],
])(
  'a backup into a folder that %s fails, and is retried every hour until it succeeds (54.2)',
  async (_what, where, reason) => {
    const wrong = await where();
    await expect(make(FIRST, { folder: wrong })).rejects.toThrow();
    expect((await readBackupState(pool)).failure).toEqual({ since: FIRST, triedAt: FIRST, reason });
    expect(await make(FIRST + HOUR - 1, { folder: wrong })).toBe(false);
    await expect(make(FIRST + HOUR, { folder: wrong })).rejects.toThrow();
    expect((await readBackupState(pool)).failure).toMatchObject({ since: FIRST, triedAt: FIRST + HOUR });
    expect(await make(FIRST + 2 * HOUR)).toBe(true);
    expect(await readBackupState(pool)).toMatchObject({ failure: undefined, verifiedAt: expect.any(Number) });
  },
);

test('a failed backup is retried at a start, and any verified backup clears the failure (55.65)', async () => {
  const none = { folder: join(folder, 'none') };
  await expect(make(FIRST, none)).rejects.toThrow();
  await recordVerifiedBackup(pool);
  expect(await readBackupState(pool)).toMatchObject({ failure: undefined, verifiedAt: expect.any(Number) });
  await expect(make(FIRST + 60_000, none)).rejects.toThrow();
  expect(await make(FIRST + 120_000)).toBe(false);
  const backups = startScheduledBackups(
    settings(),
    { pool, owner: database.connection },
    (_what, reason) => warnings.push(reason),
    () => FIRST + 180_000,
  );
  await expect
    .poll(() => readdir(folder), { timeout: 20_000 })
    .toEqual(['werkstroom-2026-01-15-0403.backup']);
  await backups.close();
  expect((await readBackupState(pool)).failure).toBeUndefined();
});

test.each(['as soon as it begins', 'while it reads'])(
  'a stopping portal aborts a backup %s and deletes its file (54.2)',
  async (when) => {
    // The locked table makes the dump wait.
    const holder = await database.pool.connect();
    await holder.query('begin; lock table webhook in access exclusive mode');
    const backups = startScheduledBackups(
      settings(),
      { pool, owner: database.connection },
      (_what, reason) => warnings.push(reason),
      () => FIRST,
    );
    await expect.poll(() => readdir(folder)).toEqual(['werkstroom-2026-01-15-0400.backup.part']);
    const waits = `select from pg_locks where relation = 'webhook'::regclass and not granted`;
    if (when === 'while it reads')
      await expect.poll(async () => (await database.pool.query(waits)).rowCount).toBe(1);
    await backups.close();
    await holder.query('rollback');
    holder.release();
    expect(await readdir(folder)).toEqual([]);
    expect(warnings).toEqual([]);
    expect(await readBackupState(pool)).toMatchObject({ verifiedAt: undefined, failure: undefined });
  },
);

test('npm run backup -- --verify accepts a scheduled backup, and rejects a changed file (54.2)', async () => {
  expect(await make(FIRST)).toBe(true);
  const file = join(folder, 'werkstroom-2026-01-15-0400.backup');
  const verified = await runCommand('backup', ['--verify', file], {});
  expect(verified).toMatchObject({ code: 0, stderr: '' });
  expect(verified.stdout).toMatch(/is whole: \d+ rows of \d+ tables and 0 waiting jobs of \d{4}-\d\d-\d\dT/);
  await writeFile(file, 'changed');
  expect(await runCommand('backup', ['--verify', file], {})).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('is no backup of Werkstroom'),
  });
});
