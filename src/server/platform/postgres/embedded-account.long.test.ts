import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startEmbedded } from './embedded.ts';
import { packagedPrograms } from './programs.ts';
import { connectionOf, postmasterPid, queryOnce, startEmbeddedProcess, testFolder } from './test/started.ts';

const NOBODY = 65534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const linux = process.platform === 'linux';
const root = linux && process.getuid?.() === 0;

/** Returns whether the user `nobody` can run the tests' program, which requires that all users may read the project's folder. */
function nobodyReadsUs(): boolean {
  try {
    const [file = '', ...args] = [...AS_NOBODY, process.execPath, '--check', import.meta.filename];
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const rootInOpenFolder = root && nobodyReadsUs();

const quiet = () => {};

async function openFolder(uid = 0): Promise<string> {
  const folder = await testFolder();
  await chmod(folder, 0o755);
  await chown(folder, uid, uid);
  return folder;
}

/** Returns the PostgreSQL of the package without links and executable bits, which install scripts and npm add. */
async function bareProgramsIn(folder: string): Promise<string> {
  const packaged = packagedPrograms();
  const bare = path.join(folder, 'native');
  await cp(packaged, bare, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !file.endsWith('.a'),
  });
  const links: { target: string }[] = JSON.parse(
    await readFile(path.join(packaged, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { target } of links) await rm(path.join(folder, target), { force: true });
  for (const name of ['postgres', 'initdb', 'pg_ctl']) await chmod(path.join(bare, 'bin', name), 0o644);
  return bare;
}

/** Returns a PATH with an `unshare` that fails, as where the kernel forbids user namespaces. */
async function pathWithoutNamespaces(): Promise<string> {
  const folder = await testFolder();
  await chmod(folder, 0o755);
  for (const name of ['sh', 'test', 'true', 'setpriv'])
    await symlink(`/usr/bin/${name}`, path.join(folder, name));
  const unshare = '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n';
  await writeFile(path.join(folder, 'unshare'), unshare, { mode: 0o755 });
  return folder;
}

async function uidOf(pid: number): Promise<number> {
  return Number(/^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

test.skipIf(!root)(
  "as root in root's own closed folder, PostgreSQL runs in a user namespace, and files stay root's",
  async () => {
    const closed = await testFolder();
    const dataDir = path.join(closed, 'data');
    const database = await startEmbedded({ dataDir, log: quiet, programs: await bareProgramsIn(closed) });
    expect(await queryOnce(database.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await uidOf(await postmasterPid(dataDir))).toBe(0);
    expect((await stat(path.join(dataDir, 'postgres', 'PG_VERSION'))).uid).toBe(0);
    await database.stop();
  },
);

test.skipIf(!rootInOpenFolder)('a portal of a normal user runs PostgreSQL as that user', async () => {
  const dataDir = path.join(await openFolder(NOBODY), 'data');
  const started = startEmbeddedProcess(dataDir, {}, { wrap: AS_NOBODY });
  const { host } = await connectionOf(started);
  expect(await uidOf(await postmasterPid(dataDir))).toBe(NOBODY);
  expect((await stat(host)).uid).toBe(NOBODY);
  await started.stop();

  // Root starts the database next, then the user again: all files still belong to the user.
  const byRoot = await startEmbedded({ dataDir, log: quiet });
  expect(await uidOf(await postmasterPid(dataDir))).toBe(NOBODY);
  await byRoot.stop();
  const again = startEmbeddedProcess(dataDir, {}, { wrap: AS_NOBODY });
  expect(await queryOnce(await connectionOf(again), 'select 1 as one')).toEqual([{ one: 1 }]);
  await again.stop();
});

test.skipIf(!rootInOpenFolder)(
  "after a first start by root in a user's folder, that user can start it",
  async () => {
    const dataDir = path.join(await openFolder(NOBODY), 'new', 'data');
    const byRoot = await startEmbedded({ dataDir, log: quiet });
    await byRoot.stop();
    const started = startEmbeddedProcess(dataDir, {}, { wrap: AS_NOBODY });
    expect(await queryOnce(await connectionOf(started), 'select 1 as one')).toEqual([{ one: 1 }]);
    await started.stop();
  },
);

test.skipIf(!rootInOpenFolder)(
  'PostgreSQL programs without links and executable bits, in a folder of another user, are copied into DATA_DIR',
  async () => {
    const programs = await bareProgramsIn(await openFolder());
    const dataDir = path.join(await openFolder(NOBODY), 'data');
    const started = startEmbeddedProcess(dataDir, { programs }, { wrap: AS_NOBODY });
    expect(await queryOnce(await connectionOf(started), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readFile(`/proc/${await postmasterPid(dataDir)}/cmdline`, 'utf8')).toContain(
      '/data/postgres-program/',
    );
    await started.stop();
  },
);

test.skipIf(!rootInOpenFolder)(
  'a normal user with a DATA_DIR of root gets an error that says so',
  async () => {
    const folder = await openFolder();
    for (const dataDir of [folder, path.join(folder, 'new')]) {
      const answer = await startEmbeddedProcess(dataDir, {}, { wrap: AS_NOBODY }).answer;
      expect(answer).toMatchObject({ failed: 'DatabaseStartError' });
      expect(answer).toMatchObject({ message: expect.stringContaining('this user may not write there') });
    }
  },
);

test.skipIf(!root)(
  'as root without user namespaces, the user nobody runs a copy of the programs, and the data stay',
  async () => {
    const env = { PATH: await pathWithoutNamespaces() };
    const folder = await openFolder();
    const dataDir = path.join(folder, 'data');
    await mkdir(path.join(folder, 'closed'), { mode: 0o700 });
    const programs = await bareProgramsIn(path.join(folder, 'closed'));
    for (const _start of [1, 2]) {
      const started = startEmbeddedProcess(dataDir, { programs }, { env });
      expect(await queryOnce(await connectionOf(started), 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(await uidOf(await postmasterPid(dataDir))).toBe(NOBODY);
      await started.stop();
    }
    expect((await stat(dataDir)).mode & 0o007).toBe(0);
  },
);

test.skipIf(!root)(
  'as root without user namespaces in a closed folder, the error says what to do',
  async () => {
    const env = { PATH: await pathWithoutNamespaces() };
    const answer = await startEmbeddedProcess(path.join(await testFolder(), 'data'), {}, { env }).answer;
    expect(answer).toMatchObject({ failed: 'DatabaseStartError' });
    expect(answer).toMatchObject({ message: expect.stringContaining('PostgreSQL refuses to run as root') });
    expect(answer).toMatchObject({
      message: expect.stringContaining('unshare failed: Operation not permitted'),
    });
    expect(answer).toMatchObject({ message: expect.stringContaining('Run Werkstroom as a normal user') });
  },
);
