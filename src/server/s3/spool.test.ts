import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spoolSink } from './body-sink.ts';
import { openSpoolFile, prepareSpool } from './spool.ts';
import { listOpenFilesIn } from './test/running-endpoint.ts';
import { EndpointUnavailable, type SpooledBody } from './upload-backend.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('a spool file stores bytes in order, can be read repeatedly, and is removed (INGEST-01)', async () => {
  const file = await openSpoolFile(directory);
  file.write(Buffer.from('one '));
  file.write(Buffer.from('two '));
  await file.flush();
  file.write(Buffer.from('three'));
  await file.flush();
  expect(await text(file.read())).toBe('one two three');
  expect(await Promise.all([text(file.read()), text(file.read())])).toEqual(Array(2).fill('one two three'));
  for await (const chunk of file.read()) {
    expect(chunk.length).toBeGreaterThan(0);
    break; // a reader that stops early leaves the file open for others
  }
  expect(await text(file.read())).toBe('one two three');
  await file.remove();
  await file.remove();
  expect(await listOpenFilesIn(directory)).toEqual([]);
});

test('a spooled body contains all written bytes when it is read, even if no caller awaited flush() (INGEST-02)', async () => {
  const sink = await spoolSink(directory, new Set());
  const chunks = Array.from({ length: 500 }, (_, n) => Buffer.from([n % 256]));
  for (const chunk of chunks) {
    sink.write(chunk);
    sink.flush();
  }
  const body = (await sink.body()) as SpooledBody;
  expect((await buffer(body.read())).equals(Buffer.concat(chunks))).toBe(true);
  await sink.discard();
});

test('a spool file has no name in its directory, neither while its process runs nor after that process is killed (INGEST-03)', async () => {
  const script = `
    const { openSpoolFile } = await import(${JSON.stringify(new URL('./spool.ts', import.meta.url).href)});
    const file = await openSpoolFile(${JSON.stringify(directory)});
    file.write(Buffer.alloc(100_000));
    await file.flush();
    process.stdout.write('taken');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' });
  await new Promise((taken) => child.stdout.once('data', taken));
  const whileItLives = await readdir(directory);
  child.kill('SIGKILL');
  await new Promise((gone) => child.once('exit', gone));
  expect(whileItLives).toEqual([]);
  expect(await readdir(directory)).toEqual([]);
});

test('prepareSpool removes leftovers that are more than a day old, and no other files (INGEST-03)', async () => {
  const old = ['upload-00aa.part', '4711', 'notes.txt'];
  const fresh = ['upload-00bb.part', '4712'];
  for (const name of [...old, ...fresh]) {
    const path = join(directory, name);
    if (/^\d/.test(name)) await mkdir(path);
    await writeFile(/^\d/.test(name) ? join(path, 'upload-4711-00aa.part') : path, '');
    const day = Date.now() / 1000 - 25 * 3600;
    if (old.includes(name)) await utimes(path, day, day);
  }
  await prepareSpool(directory);
  expect((await readdir(directory)).sort()).toEqual(['4712', 'notes.txt', 'upload-00bb.part']);
});

test('only the user of the server has access to the spool directory (INGEST-03)', async () => {
  const nested = join(directory, 'a', 'b');
  await prepareSpool(nested);
  expect((await stat(nested)).mode & 0o777).toBe(0o700);
});

test('writing a spool file throws EndpointUnavailable when the disk refuses (INGEST-03)', async () => {
  await expect(openSpoolFile(join(directory, 'missing'))).rejects.toThrow(EndpointUnavailable);
});
