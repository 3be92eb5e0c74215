import { constants } from 'node:fs';
import { access, lchown, lstat, mkdir, open, readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseStartError } from './start-error.ts';

/** Major version of the PostgreSQL in the npm package. PostgreSQL's programs read only data of their own major version. */
export const POSTGRES_MAJOR = 18;
/** Version of the layout of DATA_DIR, raised by changes that older programs must not touch. */
const LAYOUT = 1;
const MARKER = 'werkstroom.json';

/** Paths in DATA_DIR. */
export type DataFolder = {
  readonly path: string;
  /** The database cluster (PGDATA). */
  readonly cluster: string;
  readonly log: string;
  /** A copy of the programs, used when the programs in node_modules cannot be run. */
  readonly programs: string;
  /** File with the password, used only when PostgreSQL listens on TCP. */
  readonly password: string;
};

/**
 * Creates the folder if it is absent (0700), and refuses a folder that the portal may not use. Changes nothing in an existing
 * folder.
 * @throws DatabaseStartError for data of another version; file errors otherwise
 */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (made !== undefined) await giveToFolderOwner(made);
  const folder = await realpath(dataDir);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const data = {
    path: folder,
    cluster: path.join(folder, 'postgres'),
    log: path.join(folder, 'postgres.log'),
    programs: path.join(folder, 'postgres-program'),
    password: path.join(folder, 'postgres.password'),
  };
  await refuseOtherVersions(data);
  return data;
}

/**
 * Writes the file that marks a cluster as complete, with its layout.
 * @param uid, gid the user and group that own the cluster
 */
export async function writeMarker(cluster: string, uid: number, gid: number): Promise<void> {
  const file = await open(path.join(cluster, MARKER), 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ layout: LAYOUT })}\n`);
    if (uid !== process.getuid?.()) await file.chown(uid, gid);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Returns the state of a cluster. `absent`: also for an empty folder (a mounted volume); `unfinished`: the portal did not complete
 * the cluster.
 */
export async function clusterState(cluster: string): Promise<'absent' | 'unfinished' | 'complete'> {
  const names = await readdir(cluster).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return 'absent';
  return names.includes(MARKER) && names.includes('PG_VERSION') ? 'complete' : 'unfinished';
}

async function refuseOtherVersions({ path: folder, cluster }: DataFolder): Promise<void> {
  const major = Number((await readIfThere(path.join(cluster, 'PG_VERSION')))?.trim() || POSTGRES_MAJOR);
  if (major !== POSTGRES_MAJOR)
    throw new DatabaseStartError(
      `DATA_DIR (${folder}) holds a database of PostgreSQL ${major}; this version of Werkstroom runs PostgreSQL ${POSTGRES_MAJOR}. ` +
        `Start it with ${major > POSTGRES_MAJOR ? 'a newer' : 'the older'} Werkstroom, or choose another DATA_DIR. Nothing was changed.`,
    );
  const marker = await readIfThere(path.join(cluster, MARKER));
  const layout = marker === undefined ? LAYOUT : layoutOf(marker);
  if (layout === undefined)
    throw new DatabaseStartError(
      `The file ${path.join(cluster, MARKER)} is damaged. Restore a backup of DATA_DIR, or choose another DATA_DIR. Nothing was changed.`,
    );
  if (layout > LAYOUT)
    throw new DatabaseStartError(
      `DATA_DIR (${folder}) was made by a newer version of Werkstroom (layout ${layout}; this one knows ${LAYOUT}). ` +
        'Start it with that version, or choose another DATA_DIR. Nothing was changed.',
    );
}

function layoutOf(marker: string): number | undefined {
  try {
    const { layout } = JSON.parse(marker) as { layout?: unknown };
    return typeof layout === 'number' ? layout : undefined;
  } catch {
    return undefined;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Gives files that root creates in another user's folder to that user, so that a start without root works too. */
export async function giveToFolderOwner(file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(path.dirname(path.resolve(file)));
  if (uid !== 0) await changeOwnerOfTree(file, uid, gid);
}

/** Gives a tree of files to one user. The top folder goes last, so that an interrupted change is repeated. */
export async function changeOwnerOfTree(top: string, uid: number, gid: number): Promise<void> {
  const found = await lstat(top);
  if (found.uid === uid) return;
  if (found.isDirectory())
    for (const name of await readdir(top, { recursive: true })) await lchown(path.join(top, name), uid, gid);
  await lchown(top, uid, gid);
}
