import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeFolderLock } from '#server/platform/postgres/owner-lock.ts';
import { DEMO_MARKER_FILE, prepareDemoFolder } from './demo-folder.ts';

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'werkstroom-demo-folder-'));
  folder = join(parent, 'data');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const prepare = (fresh = false, isDefault = false) => prepareDemoFolder(folder, { fresh, isDefault });

describe('the folder of the demo', () => {
  test('the folder of the demo is made and marked, kept at the next start, and emptied on request (INGEST-02)', async () => {
    await prepare();
    await writeFile(join(folder, 'state'), '');
    await prepare();
    expect((await readdir(folder)).sort()).toEqual([DEMO_MARKER_FILE, 'state']);
    await prepare(true);
    expect(await readdir(folder)).toEqual([DEMO_MARKER_FILE]);
  });

  test.each([false, true])(
    'a folder is refused if the demo did not make it (fresh: %s) (INGEST-02)',
    async (fresh) => {
      await mkdir(folder);
      await writeFile(join(folder, 'secrets.key'), 'of production');
      await expect(prepare(fresh)).rejects.toThrow(/has no mark of the demo/);
      expect(await readdir(folder)).toEqual(['secrets.key']);
    },
  );

  test('the folder data/demo is accepted without the mark of the demo (INGEST-02)', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'logger-keys.json'), '{}');
    await prepare(false, true);
    expect((await readdir(folder)).sort()).toEqual([DEMO_MARKER_FILE, 'logger-keys.json']);
  });

  test.each([false, true])(
    'the folder of the demo is left alone while another process uses it, whatever the port (fresh: %s) (INGEST-02)',
    async (fresh) => {
      await prepare();
      const lock = await takeFolderLock(folder);
      await expect(prepare(fresh)).rejects.toThrow(`are in use by process ${process.pid}. Stop that first.`);
      expect(await readdir(folder)).toContain('owner-1.lock');
      if (lock.mine) await lock.release();
      await prepare(fresh);
    },
  );

  test.each<[string, () => Promise<unknown>]>([
    ['a file', () => writeFile(folder, '')],
    [
      'below a file',
      () => writeFile(parent.concat('/file'), '').then(() => (folder = join(parent, 'file/data'))),
    ],
  ])('the folder of the demo is refused with a sentence if it is %s (INGEST-02)', async (_what, make) => {
    await make();
    await expect(prepare()).rejects.toThrow(/^The demo cannot use .*(ENOTDIR|EEXIST).*\. Set DATA_DIR to /);
  });

  test.skipIf(process.getuid?.() === 0)(
    'the folder of the demo is refused if its parent folder is not writable (skipped as root) (INGEST-02)',
    async () => {
      await chmod(parent, 0o500);
      await expect(prepare()).rejects.toThrow(/^The demo cannot use .*EACCES/);
      await chmod(parent, 0o700);
    },
  );
});

/** Runs `npm run demo -- --fresh` until it exits. */
function demo(environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['werkstroom.js', 'demo', '--fresh'], {
    encoding: 'utf8',
    timeout: 30_000,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '4139', ...environment },
  });
  return [status, stdout, stderr];
}

describe('npm run demo -- --fresh', () => {
  test('npm run demo -- --fresh refuses DATABASE_URL (INGEST-02)', () => {
    expect(demo({ DATA_DIR: folder, DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' })).toEqual([
      1,
      '',
      expect.stringMatching(/^DATABASE_URL is set, and the demo .*\n$/),
    ]);
  });

  test('npm run demo -- --fresh refuses a folder that the demo did not make, with one line (INGEST-02)', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'secrets.key'), 'of production');
    expect(demo({ DATA_DIR: folder })).toEqual([
      1,
      '',
      expect.stringMatching(/^DATA_DIR .* has no mark .*\n$/),
    ]);
    expect(await readdir(folder)).toEqual(['secrets.key']);
  });
});
