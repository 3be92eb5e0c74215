import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '#server/platform/sync-folder.ts';
import { runAs } from './account.ts';
import { changeOwnerOfTree, clusterState, type DataFolder, writeMarker } from './data-folder.ts';
import { postgresProgramPath } from './programs.ts';
import type { PostgresRunner } from './runner.ts';
import { programFailedError } from './start-error.ts';

/** Names of the superuser, who owns the portal's database, and of the role that the portal signs in as. */
export const DATABASE_USER = 'werkstroom';
export const APPLICATION_USER = 'werkstroom_app';
export const DATABASE_NAME = 'werkstroom';

export type ConnectionTransport = 'socket' | 'tcp';

/** Matches the folder of a cluster that is being created. The folder is renamed when complete, so that no unfinished cluster is used. */
const UNFINISHED = /^postgres\.unfinished-[0-9a-f]+$/;

/**
 * Creates the database cluster if there is none, and makes the account that runs PostgreSQL the owner of its files. Only the process that
 * holds the lock of the data folder may call this. Removes leftovers of an interrupted first start, and renames a folder with other files.
 * @param transport the way in which clients connect. `socket`: only the permissions of the socket's folder protect the database (`trust`);
 * `tcp`: a password does (scram-sha-256)
 * @throws DatabaseStartError, file errors
 */
export async function prepareCluster(
  data: DataFolder,
  runner: PostgresRunner,
  transport: ConnectionTransport,
  log: (line: string) => void,
): Promise<void> {
  for (const name of await readdir(data.path))
    if (UNFINISHED.test(name)) await clear(path.join(data.path, name));
  const state = await clusterState(data.cluster);
  if (state === 'complete') return changeOwnerOfTree(data.cluster, runner.account.uid, runner.account.gid);
  if (state === 'unfinished') {
    const aside = `${data.cluster}.aside-${Date.now()}`;
    await rename(data.cluster, aside);
    log(`${data.cluster} was no complete database; it is kept as ${aside}.`);
  }
  log(`Making a new database in ${data.cluster}.`);
  await createCluster(data, runner, transport);
}

/** Deletes an unfinished cluster and ignores errors: a running initdb may still write to it, and the next start deletes what remains. */
async function clear(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {});
}

async function createCluster(
  data: DataFolder,
  runner: PostgresRunner,
  transport: ConnectionTransport,
): Promise<void> {
  const { account, programs, prefix } = runner;
  const draft = `${data.cluster}.unfinished-${randomBytes(6).toString('hex')}`;
  await mkdir(draft, { mode: 0o700 });
  if (account.uid !== process.getuid?.()) await chown(draft, account.uid, account.gid);
  const made = await runAs(account, prefix, [
    postgresProgramPath(programs, 'initdb'),
    `--pgdata=${draft}`,
    `--username=${DATABASE_USER}`,
    '--encoding=UTF8',
    // The locale C.UTF-8 is built into PostgreSQL, so that texts sort the same on every system and after every update.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    ...(transport === 'socket'
      ? ['--auth-local=trust', '--auth-host=reject']
      : ['--auth=scram-sha-256', `--pwfile=${await passwordFile(data.password)}`]),
  ]);
  if (!made.ok) {
    await clear(draft);
    throw programFailedError(made.printed, 'initdb');
  }
  await writeMarker(draft, account.uid, account.gid);
  await rename(draft, data.cluster);
  await syncFolder(data.path);
}

/** Writes a random password to a file that only its owner can read (0600), and returns the file's path. */
async function passwordFile(file: string): Promise<string> {
  await writeFile(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  return file;
}

/** Returns the password of a cluster that listens on TCP. */
export async function readPassword(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trim();
}
