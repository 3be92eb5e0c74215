import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type FolderOwner, isOwnerAlive, takeFolderLock } from './owner-lock.ts';
import { pidNamespaceId, processState } from './process-state.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'werkstroom-lock-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Writes a lock file that names this test's process, with the given fields changed. */
async function plant(dataDir: string, other: Partial<FolderOwner>): Promise<string> {
  const started = (await processState(process.pid))?.started ?? '';
  const owner: FolderOwner = {
    pid: process.pid,
    started,
    place: await pidNamespaceId(),
    released: false,
    ...other,
  };
  const file = path.join(dataDir, 'owner-7.lock');
  await writeFile(file, JSON.stringify(owner));
  return file;
}

test('the first process takes the lock of the data folder, and a second process sees the owner and gets the lock after the release', async () => {
  const dataDir = await folder();
  const first = await takeFolderLock(dataDir);
  expect(first.mine).toBe(true);
  const second = await takeFolderLock(dataDir);
  expect(second).toMatchObject({ mine: false, reachable: true, owner: { pid: process.pid } });
  if (!first.mine || second.mine) return;
  expect(await isOwnerAlive(dataDir, second.owner)).toBe(true);
  await first.release();
  expect(await isOwnerAlive(dataDir, second.owner)).toBe(false);
  expect((await takeFolderLock(dataDir)).mine).toBe(true);
  expect(await readdir(dataDir)).toEqual(['owner-2.lock']);
});

test('a process whose lock file was replaced no longer holds the lock, and its release leaves the new lock', async () => {
  const dataDir = await folder();
  const first = await takeFolderLock(dataDir);
  if (!first.mine) throw new Error('expected the lock of an empty folder');
  expect(await first.holds()).toBe(true);
  await rm(path.join(dataDir, 'owner-1.lock'));
  await plant(dataDir, { pid: 1 });
  expect(await first.holds()).toBe(false);
  await first.release();
  expect(await readdir(dataDir)).toEqual(['owner-7.lock']);
});

test('exactly one of twenty simultaneous processes takes the lock of a dead owner', async () => {
  const dataDir = await folder();
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  await plant(dataDir, { pid: child.pid ?? 0 });
  const locks = await Promise.all(Array.from({ length: 20 }, () => takeFolderLock(dataDir)));
  expect(locks.filter(({ mine }) => mine)).toHaveLength(1);
  expect(await readdir(dataDir)).toEqual(['owner-8.lock']);
});

test('a process with the reused id of a dead owner is not that owner', async () => {
  const dataDir = await folder();
  await plant(dataDir, { started: '1' });
  expect((await takeFolderLock(dataDir)).mine).toBe(process.platform !== 'win32');
});

test('a lock that a power cut left empty has no owner', async () => {
  const dataDir = await folder();
  await writeFile(path.join(dataDir, 'owner-3.lock'), '');
  expect((await takeFolderLock(dataDir)).mine).toBe(true);
});

test('an owner in another container is alive while its heartbeat continues', async () => {
  const dataDir = await folder();
  const file = await plant(dataDir, { place: 'elsewhere boot pid:[1]' });
  const beat = setInterval(() => utimes(file, new Date(), new Date()), 20);
  expect(await takeFolderLock(dataDir, 50)).toMatchObject({ mine: false, reachable: false });
  clearInterval(beat);
  expect((await takeFolderLock(dataDir, 50)).mine).toBe(true);
});

test('the owner of a lock touches its file, so that another computer sees that the owner lives', async () => {
  const dataDir = await folder();
  const first = await takeFolderLock(dataDir, 20);
  expect(first.mine).toBe(true);
  // Writes the lock file as a process on another computer would.
  const file = path.join(dataDir, 'owner-1.lock');
  const owner: FolderOwner = { pid: 1, started: '', place: 'elsewhere', released: false };
  await writeFile(file, JSON.stringify(owner));
  expect(await takeFolderLock(dataDir, 100)).toMatchObject({ mine: false, reachable: false });
});
