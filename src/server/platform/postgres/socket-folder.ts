import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseStartError } from './start-error.ts';

/** PostgreSQL names its socket after the port; the number has no other meaning here. */
export const SOCKET_PORT = 5432;
const SOCKET = `.s.PGSQL.${SOCKET_PORT}`;
/** sun_path, with its closing zero: 108 bytes on Linux, 104 on macOS and the BSDs. */
const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;

/** The folder for the socket of one data folder; short, because DATA_DIR itself may exceed a socket path. */
export function socketFolderPath(dataDir: string, uid: number, tmp = os.tmpdir()): string {
  const name = `werkstroom-${uid}-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  const wanted = path.join(tmp, name);
  return Buffer.byteLength(path.join(wanted, SOCKET)) <= LONGEST_SOCKET_PATH
    ? wanted
    : path.join('/tmp', name);
}

/**
 * Makes the folder (0700), or checks that it is ours alone: whoever can enter it is the database's superuser.
 * @param uid, gid the user who runs PostgreSQL
 * @throws DatabaseStartError for a link, somebody else's folder or one that others can enter
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

/** What a dead postmaster left; only for the owner of the data folder, when no postmaster lives. */
export async function clearSocketFolder(folder: string): Promise<void> {
  await rm(path.join(folder, SOCKET), { force: true });
  await rm(path.join(folder, `${SOCKET}.lock`), { force: true });
}

/** After the end; a folder that something else still uses stays. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}
