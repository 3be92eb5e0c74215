import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionTransport, prepareCluster, readPassword } from './cluster.ts';
import { type Connection, connectionTo, findConnectError } from './connection.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { type LaunchOptions, launchPostgres, supervisePostgres } from './launch.ts';
import { readPostmasterFile } from './leftover.ts';
import {
  type FolderLock,
  type FolderOwner,
  isOwnerAlive,
  takeFolderLock,
  watchFolderOwner,
} from './owner-lock.ts';
import { rotateLog } from './postmaster.ts';
import type { PostgresPrograms } from './programs.ts';
import { findPostgresRunner } from './runner.ts';
import { type ListenSettings, listenOnSocket, listenOnTcp, removeSocketFolder } from './settings.ts';
import { asStartError, DatabaseStartError } from './start-error.ts';

type EmbeddedDatabase = {
  /** Connection for the superuser who owns the database. */
  readonly connection: Connection;
  /** Whether this process runs the database; if another process does, stop() leaves it running. */
  readonly owner: boolean;
  /** If another process runs the database: calls `gone` once, with a sentence, when that process has stopped or died. */
  readonly whenOwnerGoes?: (gone: (message: string) => void) => void;
  /** Stops the database if this process runs it. Idempotent. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** Folder of the database, which is created if it is absent. */
  readonly dataDir: string;
  /** Prints one line on the terminal: progress, and later errors. PostgreSQL's own log is postgres.log. */
  readonly log: (line: string) => void;
  /** For tests: other programs, TCP even where sockets are possible, a shorter heartbeat, settings that override the default ones. */
  readonly programs?: PostgresPrograms;
  readonly transport?: ConnectionTransport;
  readonly heartbeatMs?: number;
  readonly settings?: readonly string[];
};

/**
 * Runs the PostgreSQL from npm in `dataDir`, or joins the PostgreSQL that another process runs there (docs/design.md section 6).
 * The server is restarted when it ends unexpectedly, and ends with this process. Call it from the main thread.
 * @throws DatabaseStartError, whose message is for the terminal
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const data = await openDataFolder(options.dataDir);
    for (;;) {
      const lock = await takeFolderLock(data.path, options.heartbeatMs);
      if (lock.mine) return await own(data, options, lock);
      if (!lock.reachable)
        throw new DatabaseStartError(
          `DATA_DIR (${data.path}) is in use by a process on another machine or in another container (${lock.owner.place.split(' ')[0]}). ` +
            'Stop that, choose another DATA_DIR, or set DATABASE_URL.',
        );
      const connection = await joinDatabase(data, lock.owner);
      if (connection === undefined) continue;
      const { owner } = lock;
      const whenOwnerGoes = (gone: (message: string) => void) =>
        watchFolderOwner(data.path, owner, () =>
          gone(
            `Process ${owner.pid}, which ran the database in ${data.path}, has stopped, so this process stops too. Start it again.`,
          ),
        );
      return { connection, owner: false, whenOwnerGoes, stop: async () => {} };
    }
  } catch (error) {
    throw asStartError(error, options.dataDir);
  }
}

async function own(
  data: DataFolder,
  options: EmbeddedOptions,
  lock: FolderLock & { mine: true },
): Promise<EmbeddedDatabase> {
  const { log } = options;
  let listening: ListenSettings | undefined;
  const letGo = async () => {
    if (listening?.connection.host.startsWith('/')) await removeSocketFolder(listening.connection.host);
    await lock.release();
  };
  try {
    await rotateLog(data.log);
    const runner = await findPostgresRunner(data, options.programs);
    const transport = options.transport ?? (process.platform === 'win32' ? 'tcp' : 'socket');
    await prepareCluster(data, runner, transport, log);
    listening = transport === 'socket' ? await listenOnSocket(data, runner) : await listenOnTcp(data);
    const settings = [...listening.settings, ...(options.settings ?? [])];
    const how: LaunchOptions = { ...listening, settings, data, runner, log };
    const first = await launchPostgres(how, new AbortController().signal);
    const again = async (cancelled: AbortSignal) => {
      if (await lock.holds()) return launchPostgres(how, cancelled);
      throw new DatabaseStartError(
        `DATA_DIR (${data.path}) was emptied or taken by another process. Stop this process and start it again.`,
      );
    };
    const supervisor = supervisePostgres(first, again, log);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= supervisor.stop().then(letGo);
      return stopped;
    };
    return { connection: listening.connection, owner: true, stop };
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** How long to wait for another process's database, including its first start and the repair after a crash. */
const GIVE_UP_AFTER_MS = 120_000;
const LOOK_EVERY_MS = 50;

/**
 * Returns the connection to the database that another process runs, or is starting, in this folder.
 * @returns undefined when that process stopped or died, so that this process can own the folder
 * @throws DatabaseStartError when the database never responds
 */
async function joinDatabase(data: DataFolder, owner: FolderOwner): Promise<Connection | undefined> {
  const began = Date.now();
  let problem: Error | undefined;
  while (await isOwnerAlive(data.path, owner)) {
    const connection = await runningConnection(data);
    if (connection !== undefined) {
      problem = await findConnectError(connection, connection.database);
      if (problem === undefined) return connection;
    }
    if (Date.now() - began > GIVE_UP_AFTER_MS)
      throw new DatabaseStartError(
        `Process ${owner.pid} runs the database in ${data.path}, but it does not answer` +
          `${problem === undefined ? '' : ` (${problem.message})`}. See ${path.basename(data.log)} there, or stop that process.`,
      );
    await sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

async function runningConnection(data: DataFolder): Promise<Connection | undefined> {
  const running = await readPostmasterFile(data.cluster);
  if (!running?.ready) return undefined;
  if (running.socketFolder !== '') return connectionTo(running.socketFolder, running.port);
  return connectionTo('127.0.0.1', running.port, await readPassword(data.password));
}
