import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { readPassword } from './cluster.ts';
import { type Connection, connectionTo } from './connection.ts';
import type { DataFolder } from './data-folder.ts';
import type { PostgresRunner } from './runner.ts';
import { DatabaseStartError } from './start-error.ts';

const MIB = 1024 * 1024;

/** Returns the bytes of memory that this process may use: the computer's, or the container's limit when that is less. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(os.totalmem(), constrained) : os.totalmem();
}

/**
 * Returns the server's settings as `name=value` for `postgres -c`; they override postgresql.conf. With fsync and synchronous_commit
 * a commit returns when its data is on disk; only then is an upload acknowledged (docs/design.md sections 6 and 7).
 * @param memoryBytes see availableMemory
 */
export function serverSettings(memoryBytes: number): string[] {
  const sharedBuffersMib = memoryBytes >= 2048 * MIB ? 256 : Math.max(16, Math.floor(memoryBytes / MIB / 8));
  return [
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
    `shared_buffers=${sharedBuffersMib}MB`,
    'max_wal_size=2GB',
    'wal_compression=pglz',
    // A portal process uses 25 connections (platform/pools.ts); commands and tests use more.
    'max_connections=200',
    // Compiling short queries costs more time than it saves.
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
    'cluster_name=werkstroom',
    'logging_collector=off',
    'log_destination=stderr',
    'log_checkpoints=off',
    // Omits DETAIL and STATEMENT, which contain the values of rows, such as people's e-mail addresses.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
  ];
}

/** The server's settings for listening, and the connection that reaches it. */
export type ListenSettings = { readonly connection: Connection; readonly settings: readonly string[] };

/** Creates a folder that only PostgreSQL's account can enter; returns settings for a unix socket in it. @throws DatabaseStartError */
export async function listenOnSocket(data: DataFolder, { account }: PostgresRunner): Promise<ListenSettings> {
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

/** Quotes the folder, because the setting is a list: a comma in TMPDIR would make two folders. */
function quoted(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}

/** Returns settings for listening on a free port of 127.0.0.1, with a password. */
export async function listenOnTcp(data: DataFolder): Promise<ListenSettings> {
  const port = await freePort();
  const where = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  return {
    connection: connectionTo('127.0.0.1', port, await readPassword(data.password)),
    settings: [...where, ...serverSettings(availableMemory())],
  };
}

/** Returns a free port of 127.0.0.1; another program may still take it before PostgreSQL, which then fails. */
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

/** PostgreSQL names its socket after the port. The port has no other meaning here. */
const SOCKET_PORT = 5432;
const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;
/** Without the closing zero byte, with which sun_path has 108 bytes on Linux, 104 on macOS and the BSDs. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/**
 * Returns the folder for the socket of one data folder. The path is short, because DATA_DIR itself may be too long for a socket's
 * path.
 */
export function socketFolderPath(dataDir: string, uid: number, tmp = os.tmpdir()): string {
  const name = `werkstroom-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  const wanted = path.join(tmp, name);
  return Buffer.byteLength(path.join(wanted, SOCKET)) <= MAX_SOCKET_PATH_BYTES
    ? wanted
    : path.join('/tmp', name);
}

/**
 * Creates the folder (0700), or checks that it belongs to this user alone: a user who can enter it can act as the database's
 * superuser.
 * @param uid, gid the user who runs PostgreSQL
 * @throws DatabaseStartError for a link, another user's folder or one that others can enter
 */
export async function openSocketFolder(folder: string, uid: number, gid: number): Promise<void> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw new DatabaseStartError(
        `The folder for the database's socket (${folder}) cannot be made: ${error.message}. Set TMPDIR to a folder where this user may write.`,
        { cause: error },
      );
    },
  );
  if (made && uid !== process.getuid?.()) await chown(folder, uid, gid);
  const found = await lstat(folder);
  // 0o077: any permission for the group or for others.
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return;
  throw new DatabaseStartError(
    `${folder} is not a folder that only user ${uid} can enter, so the database's socket would not be safe there. Remove it, then start again.`,
  );
}

/** Removes a dead postmaster's socket. Only the process that holds the data folder's lock may call this, when no postmaster is alive. */
export async function clearSocketFolder(folder: string): Promise<void> {
  await rm(path.join(folder, SOCKET), { force: true });
  await rm(path.join(folder, `${SOCKET}.lock`), { force: true });
}

/** Removes the folder after PostgreSQL has ended, unless another program still uses it. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}
