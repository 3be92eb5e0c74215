/** The reason why the embedded database could not start, and what to do, as a text for the terminal. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

const USE_OTHER = 'set DATABASE_URL to a PostgreSQL server (15 or newer)';

/** Patterns for the output of PostgreSQL, initdb or the dynamic linker, each with its explanation. The first match counts. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /could not (create|map|resize|open|attach).*shared memory|could not create semaphores|Cannot allocate memory/i,
    'The system did not give PostgreSQL the shared memory it asked for. Free some memory, raise the limits of the system or container (kernel.shmmax, kernel.sem, --shm-size), ' +
      `or ${USE_OTHER}.`,
  ],
  [
    /No space left on device|Check free disk space|Disk quota exceeded/i,
    'The disk of DATA_DIR is full. Make room and start again.',
  ],
  [/Read-only file system/i, 'DATA_DIR is on a disk that is mounted read-only. Choose another DATA_DIR.'],
  [
    /database files are incompatible with server|was initialized by PostgreSQL version/i,
    'The database in DATA_DIR was made by another version of PostgreSQL. Start it with the version of Werkstroom that made it.',
  ],
  [
    /error while loading shared libraries|cannot open shared object file|Library not loaded/i,
    `PostgreSQL misses a system library. Run npm ci again, or ${USE_OTHER}.`,
  ],
  [
    /Exec format error|required file not found|spawn .* ENOENT|not found$/im,
    `The PostgreSQL from npm does not run on this system (it needs glibc). Here, ${USE_OTHER}.`,
  ],
  [
    /cannot be run as root|root" execution .* not permitted|administrative permissions/i,
    `PostgreSQL refuses to run as root or administrator. Run Werkstroom as a normal user, or ${USE_OTHER}.`,
  ],
  [
    /could not look up effective user ID/i,
    `PostgreSQL needs a user that has a name on this system (an entry in /etc/passwd). Give it one, or ${USE_OTHER}.`,
  ],
  [
    /lock file .* already exists|pre-existing shared memory block|Is another postmaster/i,
    'Another PostgreSQL still holds the database in DATA_DIR. Stop it, then start again.',
  ],
  [
    /Address already in use/i,
    'The port or socket of the database is in use by another program. Start again.',
  ],
  [
    /invalid checkpoint record|could not locate a valid checkpoint|invalid data in file|could not read file "global/i,
    'The database files in DATA_DIR are damaged. Restore a backup into DATA_DIR; keep the damaged files until that works.',
  ],
  [
    /Permission denied|has wrong ownership|has invalid permissions|Operation not permitted/i,
    'PostgreSQL may not read or write its files. Check who owns DATA_DIR and the folders above it.',
  ],
];

/** Explains the output of a failed PostgreSQL program in one or two sentences. */
export function explainStartFailure(printed: string): string {
  const cause = CAUSES.find(([pattern]) => pattern.test(printed));
  return cause?.[1] ?? `The embedded PostgreSQL did not start. Its log says why; else ${USE_OTHER}.`;
}

/** Returns whether a later start may succeed: a previous server's processes (a zombie, its last backends) have not all ended yet. */
export function isTransientStartError(printed: string): boolean {
  return /lock file .* already exists|pre-existing shared memory block|Is another postmaster/i.test(printed);
}

/**
 * Returns the error for a PostgreSQL program that failed.
 * @param printed the program's output in this attempt; the error quotes its last lines
 * @param source the path of the log file that has the output, or the name of the program
 */
export function programFailedError(printed: string, source: string): DatabaseStartError {
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  const quoted = lines.slice(-5).map((line) => `\n  ${line.trim()}`);
  const lastLines = quoted.length === 0 ? '' : `\nLast lines of ${source}:${quoted.join('')}`;
  return new DatabaseStartError(explainStartFailure(printed) + lastLines);
}

const FILE_CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there. Change its owner or choose another DATA_DIR.',
  EPERM: 'this user may not write there. Change its owner or choose another DATA_DIR.',
  EROFS: 'the disk is mounted read-only. Choose another DATA_DIR.',
  ENOSPC: 'the disk is full. Make room and start again.',
  EDQUOT: 'the disk quota is used up. Make room and start again.',
  // Node reports this for a folder that it cannot create on a read-only disk.
  ENOENT: 'it does not exist and cannot be made. Choose another DATA_DIR.',
  ENOTDIR: 'a file is in the way of a folder. Choose another DATA_DIR.',
  EEXIST: 'a file is in the way of a folder. Choose another DATA_DIR.',
  EIO: 'the disk reports an error. Check the disk.',
};

/** Converts an error of the start to a DatabaseStartError; explains a file error (`code`, `path`) in a sentence. */
export function asStartError(error: unknown, dataDir: string): DatabaseStartError {
  if (error instanceof DatabaseStartError) return error;
  const { code, path } = error as NodeJS.ErrnoException;
  const cause = FILE_CAUSES[code ?? ''];
  const message = error instanceof Error ? error.message : String(error);
  return new DatabaseStartError(
    cause === undefined
      ? `The embedded database could not start: ${message}. See postgres.log in DATA_DIR (${dataDir}).`
      : `DATA_DIR (${dataDir}) cannot be used: ${path ?? dataDir}: ${cause}`,
    { cause: error },
  );
}
