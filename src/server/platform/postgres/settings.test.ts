import { chmod, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { availableMemory, openSocketFolder, serverSettings, socketFolderPath } from './settings.ts';
import { DatabaseStartError } from './start-error.ts';

const GIB = 1024 ** 3;
test.each([
  [64 * GIB, 'shared_buffers=256MB'],
  [2 * GIB, 'shared_buffers=256MB'],
  [1 * GIB, 'shared_buffers=128MB'],
  [0.5 * GIB, 'shared_buffers=64MB'],
  [0.05 * GIB, 'shared_buffers=16MB'],
])('settings for %d bytes of memory are %s', (memory, setting) => {
  expect(serverSettings(memory)).toContain(setting);
});

test('availableMemory returns a plausible size, more than 0 and at most 1,024 GiB', () => {
  expect(availableMemory()).toBeGreaterThan(0);
  expect(availableMemory()).toBeLessThanOrEqual(1024 * GIB);
});

const uid = process.getuid?.() ?? 0;
const gid = process.getgid?.() ?? 0;

async function place(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'werkstroom-place-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return path.join(made, 'sockets');
}

test('each data folder and user has its own short socket path, always the same', () => {
  const one = socketFolderPath(`/${'deep/'.repeat(60)}`, 1000, '/tmp');
  expect(one).toMatch(/^\/tmp\/werkstroom-1000-[0-9a-f]{12}$/);
  expect(socketFolderPath(`/${'deep/'.repeat(60)}`, 1000, '/tmp')).toBe(one);
  expect(socketFolderPath('/other', 1000, '/tmp')).not.toBe(one);
  expect(socketFolderPath('/other', 1000, `/${'t'.repeat(90)}`)).toMatch(/^\/tmp\//);
});

test.skipIf(process.platform === 'win32')(
  'the socket folder is created for its owner alone, and found again',
  async () => {
    const folder = await place();
    await openSocketFolder(folder, uid, gid);
    await openSocketFolder(folder, uid, gid);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  },
);

const UNSAFE = [
  ['that others can enter', async (folder: string) => mkdir(folder).then(() => chmod(folder, 0o755))],
  [
    'that is a link',
    async (folder: string) =>
      mkdir(`${folder}-real`, { mode: 0o700 }).then(() => symlink(`${folder}-real`, folder)),
  ],
  ['that is a file', async (folder: string) => writeFile(folder, '')],
] as const;

test.skipIf(process.platform === 'win32').each(UNSAFE)(
  'a socket folder %s is refused and left alone',
  async (_what, make) => {
    const folder = await place();
    await make(folder);
    const before = (await lstat(folder)).mode;
    const open = openSocketFolder(folder, uid, gid);
    await expect(open).rejects.toBeInstanceOf(DatabaseStartError);
    await expect(open).rejects.toThrow('would not be safe');
    expect((await lstat(folder)).mode).toBe(before);
  },
);

test.skipIf(process.platform === 'win32')("another user's socket folder is refused", async () => {
  const folder = await place();
  await mkdir(folder, { mode: 0o700 });
  await expect(openSocketFolder(folder, uid + 1, gid)).rejects.toThrow('would not be safe');
});
