/** Tests BACKUP_DIR on a file system of its own, which becomes full and read-only. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool, type Pool } from '#server/platform/database.ts';
import { type TestDatabase, testDatabase } from '#server/test/database.ts';
import { readBackupState } from './backup-made.store.ts';
import { makeDueBackup } from './scheduled-backups.ts';

const HOUR = 3_600_000;
const FIRST = Date.parse('2026-01-15T04:00:00+01:00');
const BACKUP = 'werkstroom-2026-01-15-0400.backup';

const mount = (...words: string[]): boolean => spawnSync('mount', words).status === 0;
const folder = await mkdtemp(join(tmpdir(), 'werkstroom-disk-'));
const isMounted = mount('-t', 'tmpfs', '-o', 'size=4m', 'werkstroom-backups', folder);
if (!isMounted)
  process.stdout.write('Skipped: backups on a disk of their own. This user may not mount one.\n');

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = openPool(database.application, () => {});
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  if (isMounted) spawnSync('umount', ['--lazy', folder]);
  await rm(folder, { recursive: true, force: true });
});

const reasons: string[] = [];
const make = (now: number) =>
  makeDueBackup(
    { folder, at: '03:30', keep: 3 },
    { pool, owner: database.connection },
    new AbortController().signal,
    (_what, reason) => reasons.push(reason),
    () => now,
  );

test.skipIf(!isMounted)(
  'a full or read-only disk keeps the last backup, and the failure names the reason (54.2)',
  async () => {
    expect(await make(FIRST)).toBe(true);
    expect(await readdir(folder)).toEqual([BACKUP]);
    const before = await readFile(join(folder, BACKUP));
    const { verifiedAt } = await readBackupState(pool);

    await writeFile(join(folder, 'filler'), Buffer.alloc(8 * 1024 * 1024)).catch(() => {});
    await expect(make(FIRST + 24 * HOUR)).rejects.toThrow('ENOSPC');
    expect(await readdir(folder)).toEqual(['filler', BACKUP]);
    expect(await readBackupState(pool)).toMatchObject({
      verifiedAt,
      failure: { reason: 'de schijf van BACKUP_DIR is vol' },
    });

    await rm(join(folder, 'filler'));
    expect(mount('-o', 'remount,ro', folder)).toBe(true);
    await expect(make(FIRST + 26 * HOUR)).rejects.toThrow('EROFS');
    expect(await readBackupState(pool)).toMatchObject({
      verifiedAt,
      failure: { reason: 'de schijf van BACKUP_DIR is alleen te lezen' },
    });
    expect(await readFile(join(folder, BACKUP))).toEqual(before);

    expect(mount('-o', 'remount,rw', folder)).toBe(true);
    expect(await make(FIRST + 28 * HOUR)).toBe(true);
    expect((await readBackupState(pool)).failure).toBeUndefined();
    expect((await readdir(folder)).length).toBe(2);
  },
);
