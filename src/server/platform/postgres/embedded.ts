import { createServer } from 'node:net';
import { prepareCluster, readPassword, type Transport } from './cluster.ts';
import { type Connection, connectionTo } from './connection.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';
import { joinDatabase } from './join.ts';
import { type Launch, launch } from './launch.ts';
import { type Lock, takeLock, watchOwner } from './owner-lock.ts';
import type { Programs } from './programs.ts';
import { findRunner, type Runner } from './runner.ts';
import { rotateLog } from './server-log.ts';
import { availableMemory, serverSettings } from './settings.ts';
import { openSocketFolder, removeSocketFolder, SOCKET_PORT, socketFolderPath } from './socket-folder.ts';
import { asStartError, DatabaseStartError } from './start-error.ts';
import { supervise } from './supervisor.ts';

export type EmbeddedDatabase = {
  readonly connection: Connection;
  /** false: another process of ours runs it; stop() leaves it running. */
  readonly owner: boolean;
  /** Where another process of ours runs it: calls once, with a sentence, when that has stopped or died. */
  readonly whenOwnerGoes?: (gone: (message: string) => void) => void;
  /** Idempotent. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** Made where it is absent. */
  readonly dataDir: string;
  /** One line for the terminal: what happens, and what went wrong later. PostgreSQL's own log is postgres.log. */
  readonly log: (line: string) => void;
  /** For tests: programs from elsewhere, TCP where there are sockets, a shorter heartbeat. */
  readonly programs?: Programs;
  readonly transport?: Transport;
  readonly heartbeatMs?: number;
};

/**
 * Runs the PostgreSQL from npm in `dataDir`, or joins the one that another process of ours runs there
 * (docs/design.md section 6). It is started again when it ends by itself, and ends with this process.
 * Call it from the main thread.
 * @throws DatabaseStartError, whose message is for the terminal
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const data = await openDataFolder(options.dataDir);
    for (;;) {
      const lock = await takeLock(data.path, options.heartbeatMs);
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
        watchOwner(data.path, owner, () =>
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
  lock: Lock & { mine: true },
): Promise<EmbeddedDatabase> {
  const { log } = options;
  let place: Place | undefined;
  const letGo = async () => {
    if (place?.connection.host.startsWith('/')) await removeSocketFolder(place.connection.host);
    await lock.release();
  };
  try {
    await rotateLog(data.log);
    const runner = await findRunner(data, options.programs);
    const transport = options.transport ?? (process.platform === 'win32' ? 'tcp' : 'socket');
    await prepareCluster(data, runner, transport, log);
    place = transport === 'socket' ? await onSocket(data, runner) : await onTcp(data);
    const how: Launch = { ...place, data, runner, log };
    const first = await launch(how, new AbortController().signal);
    const again = async (cancelled: AbortSignal) => {
      if (await lock.holds()) return launch(how, cancelled);
      throw new DatabaseStartError(
        `DATA_DIR (${data.path}) was emptied or taken by another process. Stop this process and start it again.`,
      );
    };
    const supervisor = supervise(first, again, log);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= supervisor.stop().then(letGo);
      return stopped;
    };
    return { connection: place.connection, owner: true, stop };
  } catch (error) {
    await letGo();
    throw error;
  }
}

type Place = Pick<Launch, 'connection' | 'settings'>;

async function onSocket(data: DataFolder, { account }: Runner): Promise<Place> {
  const folder = socketFolderPath(data.path, account.uid);
  await openSocketFolder(folder, account.uid, account.gid);
  const where = [
    'listen_addresses=',
    `unix_socket_directories=${quoted(folder)}`,
    'unix_socket_permissions=0700',
    `port=${SOCKET_PORT}`,
  ];
  return {
    connection: connectionTo(folder, SOCKET_PORT),
    settings: [...where, ...serverSettings(availableMemory())],
  };
}

/** The setting is a list, so a comma in TMPDIR would make two folders. */
function quoted(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}

async function onTcp(data: DataFolder): Promise<Place> {
  const port = await freePort();
  const where = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  return {
    connection: connectionTo('127.0.0.1', port, await readPassword(data.password)),
    settings: [...where, ...serverSettings(availableMemory())],
  };
}

/** A free port of 127.0.0.1; another program may take it before PostgreSQL does, which is then an error. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
