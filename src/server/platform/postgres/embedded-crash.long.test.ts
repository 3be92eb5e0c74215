import { spawn } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbedded } from './embedded.ts';
import { processState } from './process-state.ts';
import {
  connectionOf,
  postmasterPid,
  queryOnce,
  startEmbeddedProcess,
  testFolder,
  waitUntilProcessEnds,
} from './test/started.ts';

const quiet = () => {};

/** Returns a PATH with only the given programs, so that setpriv is not found. */
async function pathWith(names: readonly string[]): Promise<string> {
  const folder = await testFolder();
  for (const name of names) await symlink(`/usr/bin/${name}`, path.join(folder, name));
  return folder;
}

/** Writes rows, one commit each, which are acknowledged before the kill. */
async function writeRows(connection: Parameters<typeof queryOnce>[0], upTo: number): Promise<void> {
  await queryOnce(connection, 'create table if not exists acknowledged (n int primary key)');
  for (let n = 0; n < upTo; n += 1)
    await queryOnce(connection, `insert into acknowledged values (${n}) on conflict do nothing`);
}
const COUNT = 'select count(*)::int as n from acknowledged';

test('kill -9 of the server process ends its postmaster too, and the next start has every row (INGEST-02)', async () => {
  const dataDir = await testFolder();
  const first = startEmbeddedProcess(dataDir);
  await writeRows(await connectionOf(first), 20);
  const postmaster = await postmasterPid(dataDir);
  await first.kill();
  await waitUntilProcessEnds(postmaster);
  const next = await startEmbedded({ dataDir, log: quiet });
  expect(next.owner).toBe(true);
  expect(await queryOnce(next.connection, COUNT)).toEqual([{ n: 20 }]);
  await next.stop();
});

test('after kill -9 of the server process without setpriv, the next start first stops the orphaned postmaster (INGEST-02)', async () => {
  const dataDir = await testFolder();
  const env = { PATH: await pathWith(['unshare', 'sh', 'test', 'true']) };
  const first = startEmbeddedProcess(dataDir, {}, { env });
  await writeRows(await connectionOf(first), 20);
  const orphan = await postmasterPid(dataDir);
  await first.kill();
  expect((await processState(orphan))?.zombie).toBe(false);

  const log: string[] = [];
  const next = await startEmbedded({ dataDir, log: (line) => log.push(line) });
  expect(log).toEqual([`Stopping the PostgreSQL (process ${orphan}) of an earlier start.`]);
  await waitUntilProcessEnds(orphan);
  expect(await queryOnce(next.connection, COUNT)).toEqual([{ n: 20 }]);
  await next.stop();
});

test('a killed postmaster is restarted with the same connection, twice (INGEST-02)', async () => {
  const dataDir = await testFolder();
  const log: string[] = [];
  const database = await startEmbedded({ dataDir, log: (line) => log.push(line) });
  await writeRows(database.connection, 20);
  for (const round of [1, 2]) {
    process.kill(await postmasterPid(dataDir), 'SIGKILL');
    await vi.waitUntil(
      () => log.filter((line) => line === 'PostgreSQL answers again.').length === round,
      20_000,
    );
    expect(await queryOnce(database.connection, COUNT)).toEqual([{ n: 20 }]);
  }
  expect(log).toContain('PostgreSQL ended by itself (signal SIGKILL); starting it again.');
  await database.stop();
  expect(await readdir(path.join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
});

test('stopping the embedded database while its postmaster is being restarted leaves no process running', async () => {
  const dataDir = await testFolder();
  const log: string[] = [];
  const database = await startEmbedded({ dataDir, log: (line) => log.push(line) });
  process.kill(await postmasterPid(dataDir), 'SIGKILL');
  await vi.waitUntil(() => log.some((line) => line.startsWith('PostgreSQL ended')), 20_000);
  await database.stop();
  const left = await postmasterPid(dataDir).catch(() => 0);
  expect(left === 0 ? undefined : await processState(left)).toBeUndefined();
  await expect(queryOnce(database.connection, 'select 1')).rejects.toThrow();
});

test('kill -9 of the server process and the postmaster together, three times, loses no row (INGEST-02)', async () => {
  const dataDir = await testFolder();
  for (const round of [1, 2, 3]) {
    const started = startEmbeddedProcess(dataDir);
    const connection = await connectionOf(started);
    await writeRows(connection, round * 10);
    expect(await queryOnce(connection, COUNT)).toEqual([{ n: round * 10 }]);
    const postmaster = await postmasterPid(dataDir);
    process.kill(postmaster, 'SIGKILL');
    await started.kill();
  }
  const last = await startEmbedded({ dataDir, log: quiet });
  expect(await queryOnce(last.connection, COUNT)).toEqual([{ n: 30 }]);
  await last.stop();
});

test('after kill -9 during the first start, the next start creates the database and removes the unfinished one', async () => {
  const dataDir = await testFolder();
  const half = async () => {
    const name = (await readdir(dataDir)).find((entry) => entry.startsWith('postgres.unfinished-'));
    return name !== undefined && (await readdir(path.join(dataDir, name))).includes('PG_VERSION');
  };
  const first = startEmbeddedProcess(dataDir);
  await vi.waitUntil(half, { timeout: 10_000, interval: 5 });
  await first.kill();
  expect(await readdir(dataDir)).not.toContain('postgres');
  const next = await startEmbedded({ dataDir, log: quiet });
  expect(await queryOnce(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await next.stop();
  expect((await readdir(dataDir)).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test('a folder postgres that the portal did not complete is renamed, and a new database is created', async () => {
  const dataDir = await testFolder();
  await mkdir(path.join(dataDir, 'postgres'));
  await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  const log: string[] = [];
  const database = await startEmbedded({ dataDir, log: (line) => log.push(line) });
  expect(await queryOnce(database.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await database.stop();
  expect(log[0]).toContain('was no complete database; it is kept as');
  const aside = (await readdir(dataDir)).find((name) => name.includes('aside'));
  expect(await readdir(path.join(dataDir, aside ?? ''))).toEqual(['PG_VERSION']);
});

const STALE = [
  ['names a process that is no PostgreSQL now', (pid: number) => `${pid}\n`],
  ['is empty', () => ''],
] as const;

test.each(STALE)(
  'a postmaster.pid that %s does not prevent PostgreSQL from starting',
  async (_what, content) => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
    onTestFinished(() => void other.kill('SIGKILL'));
    const dataDir = await testFolder();
    const first = await startEmbedded({ dataDir, log: quiet });
    await first.stop();
    await writeFile(path.join(dataDir, 'postgres', 'postmaster.pid'), content(other.pid ?? 0));
    const next = await startEmbedded({ dataDir, log: quiet });
    expect(await queryOnce(next.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(other.exitCode).toBeNull();
    await next.stop();
  },
);

test('after kill -9 of the process that ran the database, one of four new processes runs it, and three connect to it', async () => {
  const dataDir = await testFolder();
  const first = startEmbeddedProcess(dataDir);
  await connectionOf(first);
  await first.kill();
  const four = [1, 2, 3, 4].map(() => startEmbeddedProcess(dataDir));
  const answers = await Promise.all(four.map(({ answer }) => answer));
  const outcomes = answers.map((answer) => ('owner' in answer ? String(answer.owner) : answer.message));
  expect(outcomes.toSorted()).toEqual(['false', 'false', 'false', 'true']);
});

test('kill -9 of the process that runs the database disconnects a second process, which runs the database after its next start', async () => {
  const dataDir = await testFolder();
  const owner = startEmbeddedProcess(dataDir);
  await connectionOf(owner);
  const joined = await startEmbedded({ dataDir, log: quiet });
  expect(joined.owner).toBe(false);
  const postmaster = await postmasterPid(dataDir);
  await owner.kill();
  await waitUntilProcessEnds(postmaster);
  await expect(queryOnce(joined.connection, 'select 1')).rejects.toThrow();
  const next = await startEmbedded({ dataDir, log: quiet });
  expect(next.owner).toBe(true);
  await next.stop();
});
