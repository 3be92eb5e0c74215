import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { parsePasswdUsers } from '#server/platform/postgres/account.ts';
import { findDebianPostgres } from '#server/test/external-programs.ts';
import { findFreePort } from '#server/test/running-portal.ts';
import type { BenchContext } from '../context.ts';
import { FaultSkipped, sleep, waitUntil } from './fault.ts';

const run = promisify(execFile);

/** A PostgreSQL server that runs the binaries of the operating system's package, on a data folder of its own. */
export type ExternalCluster = {
  /** DATABASE_URL of the server's one database. */
  readonly url: string;
  /** Returns the process id of the postmaster. */
  pid(): number;
  isRunning(): boolean;
  /** Resolves when the server accepts connections. */
  start(): Promise<void>;
  /** Stops the server: `fast` as `pg_ctl stop -m fast`, `crash` at once without a shutdown. */
  stop(how: 'fast' | 'crash'): Promise<void>;
};

/** Returns the user as whom PostgreSQL is run if this process is root, because PostgreSQL refuses to run as root; else undefined. */
async function account(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = parsePasswdUsers(await readFile('/etc/passwd', 'utf8'));
  const user = users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody');
  if (!user) throw new FaultSkipped('no user postgres or nobody to run PostgreSQL as');
  return { uid: user.uid, gid: user.gid };
}

/**
 * Initializes a database cluster and starts its server.
 * @param parent an existing folder, in which the cluster gets its own folder
 * @param ownSettings each `name=value`
 * @throws FaultSkipped if the computer has no PostgreSQL except the embedded one
 */
export async function startExternalCluster(
  context: BenchContext,
  parent: string,
  ownSettings: readonly string[] = [],
): Promise<ExternalCluster> {
  const bin = findDebianPostgres();
  if (!bin) throw new FaultSkipped('no PostgreSQL beside our own (Debian: postgresql-15)');
  const user = await account();
  const data = join(parent, 'external');
  await mkdir(data, { mode: 0o700 });
  if (user) for (const folder of [parent, data]) await chown(folder, user.uid, user.gid);
  const how = { ...user, cwd: '/' };
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'portal', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    how,
  );
  const port = await findFreePort();
  const url = `postgres://portal@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  let output = '';
  let closed = false;

  const cluster: ExternalCluster = {
    url,
    pid: () => child?.pid ?? 0,
    isRunning: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    async start() {
      if (closed) return;
      const settings = [
        `port=${port}`,
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        ...ownSettings,
      ];
      const options = settings.flatMap((setting) => ['-c', setting]);
      child = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
        ...how,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-4_000);
        });
      await waitUntil(`PostgreSQL answers (it printed: ${output})`, 30_000, () => answers(url));
    },
    async stop(mode) {
      if (!cluster.isRunning()) return;
      child?.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      while (cluster.isRunning()) await sleep(20);
    },
  };
  context.onClose(() => {
    closed = true;
    return cluster.stop('crash');
  });
  await cluster.start();
  return cluster;
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
