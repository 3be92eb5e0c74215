import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DoorUnavailable } from './door-world.ts';
import { openSpoolFile, prepareSpool } from './spool.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('INGEST-01 a spool file takes the bytes in order, is private, and is removed', async () => {
  const file = await openSpoolFile(directory);
  file.write(Buffer.from('one '));
  file.write(Buffer.from('two '));
  await file.flush();
  file.write(Buffer.from('three'));
  await file.flush();
  await file.close();
  expect(await readFile(file.path, 'utf8')).toBe('one two three');
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  await file.remove();
  expect(await readdir(directory)).toEqual([]);
});

test('INGEST-03 a start removes the leftovers of dead servers only', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  const names = [
    `upload-${process.pid}-00aa.part`,
    `upload-${dead}-00bb.part`,
    `upload-${process.ppid}-00cc.part`,
    'notes.txt',
  ];
  for (const name of names) await writeFile(join(directory, name), '');
  await prepareSpool(directory);
  expect((await readdir(directory)).sort()).toEqual(['notes.txt', names[2]]);
});

test('INGEST-03 the directory is made, private', async () => {
  const nested = join(directory, 'a', 'b');
  await prepareSpool(nested);
  expect((await stat(nested)).mode & 0o777).toBe(0o700);
});

test('INGEST-03 a disk that refuses means: later', async () => {
  await expect(openSpoolFile(join(directory, 'missing'))).rejects.toThrow(DoorUnavailable);
});
