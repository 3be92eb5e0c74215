import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveToFolderOwner } from './data-folder.ts';
import { pidNamespaceId, processState } from './process-state.ts';

/**
 * The lock of a data folder is the file `owner-<n>.lock` with the highest n. The file names a process. When that process is dead or
 * has released the lock, another process takes the lock by creating `owner-<n+1>.lock` with link(2), which succeeds for one process
 * only. The highest file is never removed, so no process can create a lower one and believe that it owns the folder.
 */
const LOCK = /^owner-(\d+)\.lock$/;
const HEARTBEAT_MS = 2000;

export type FolderOwner = {
  readonly pid: number;
  readonly started: string;
  readonly place: string;
  readonly released: boolean;
};

export type FolderLock =
  | {
      readonly mine: true;
      /**
       * Returns false when the lock file was deleted or changed, or when another process took the lock although this process lives. This
       * process must not write to the folder then.
       */
      holds(): Promise<boolean>;
      release(): Promise<void>;
    }
  /** `reachable`: the owner runs on this computer and in this container, so that its database can be joined. */
  | { readonly mine: false; readonly owner: FolderOwner; readonly reachable: boolean };

/**
 * Takes the lock of this data folder, or returns which living process has it.
 * @param heartbeatMs how often an owner touches its lock: the only sign of life between containers
 * @throws file errors of the data folder
 */
export async function takeFolderLock(dataDir: string, heartbeatMs = HEARTBEAT_MS): Promise<FolderLock> {
  const place = await pidNamespaceId();
  const started = (await processState(process.pid))?.started ?? '';
  const me: FolderOwner = { pid: process.pid, started, place, released: false };
  for (;;) {
    const top = await highest(dataDir);
    const file = path.join(dataDir, `owner-${top}.lock`);
    const owner = top === 0 ? undefined : await read(file);
    if (top > 0 && owner === undefined) continue;
    if (owner !== undefined && (await isAlive(owner, place, file, heartbeatMs)))
      return { mine: false, owner, reachable: owner.place === place };

    const mine = path.join(dataDir, `owner-${top + 1}.lock`);
    if (!(await create(mine, me))) continue;
    // If this process listed the folder long ago, another process may have used this number and removed its file in the meantime.
    if ((await highest(dataDir)) > top + 1) {
      await rm(mine, { force: true });
      continue;
    }
    await removeBelow(dataDir, top + 1);
    const beat = setInterval(() => {
      const now = new Date();
      utimes(mine, now, now).catch(() => {});
    }, heartbeatMs);
    beat.unref();
    const holds = async () => {
      const now = await read(mine);
      return now !== undefined && isSame(now, me) && (await highest(dataDir)) === top + 1;
    };
    return {
      mine: true,
      holds,
      async release() {
        clearInterval(beat);
        if (await holds()) await replace(mine, { ...me, released: true });
      },
    };
  }
}

/** Returns whether the process that owns a folder is alive and has not released its lock. */
export async function isOwnerAlive(dataDir: string, owner: FolderOwner): Promise<boolean> {
  const now = await read(path.join(dataDir, `owner-${await highest(dataDir)}.lock`));
  if (now === undefined || now.released || now.pid !== owner.pid || now.started !== owner.started)
    return false;
  return isRunning(owner);
}

/** Returns the living process that owns this folder; undefined when the folder is free or is no data folder. */
export async function findLivingOwner(
  dataDir: string,
  heartbeatMs = HEARTBEAT_MS,
): Promise<FolderOwner | undefined> {
  const top = await highest(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return 0;
    throw error;
  });
  if (top === 0) return undefined;
  const file = path.join(dataDir, `owner-${top}.lock`);
  const owner = await read(file);
  return owner && (await isAlive(owner, await pidNamespaceId(), file, heartbeatMs)) ? owner : undefined;
}

/** Calls `gone` once when the owner of a folder has died or released its lock. The watch does not keep this process alive. */
export function watchFolderOwner(
  dataDir: string,
  owner: FolderOwner,
  gone: () => void,
  everyMs = HEARTBEAT_MS,
): void {
  const look = setTimeout(async () => {
    // A folder that is unreadable now may be readable later; a deleted one has no owner.
    const lives = await isOwnerAlive(dataDir, owner).catch(
      ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
    );
    if (lives) look.refresh();
    else gone();
  }, everyMs).unref();
}

async function isAlive(
  owner: FolderOwner,
  place: string,
  file: string,
  heartbeatMs: number,
): Promise<boolean> {
  if (owner.released) return false;
  if (owner.place === place) return isRunning(owner);
  const before = await modified(file);
  await sleep(heartbeatMs * 3.5);
  return (await modified(file)) !== before;
}

function isSame(now: FolderOwner, then: FolderOwner): boolean {
  return !now.released && now.pid === then.pid && now.started === then.started && now.place === then.place;
}

async function isRunning(owner: FolderOwner): Promise<boolean> {
  const state = await processState(owner.pid);
  return state !== undefined && !state.zombie && state.started === owner.started;
}

async function modified(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}

/** Returns the highest number in use; 0 when the folder was never owned. */
async function highest(dataDir: string): Promise<number> {
  const numbers = (await readdir(dataDir)).map((name) => Number(LOCK.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

async function removeBelow(dataDir: string, number: number): Promise<void> {
  for (const name of await readdir(dataDir))
    if (Number(LOCK.exec(name)?.[1] ?? number) < number) await rm(path.join(dataDir, name), { force: true });
}

/** Returns the owner in a lock file; undefined when another process has replaced the file since it was listed. */
async function read(file: string): Promise<FolderOwner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as FolderOwner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // A lock that a power cut left empty has no owner.
    if (error instanceof SyntaxError) return { pid: 0, started: '', place: '', released: true };
    throw error;
  }
}

/** Creates the file with its whole content at once; returns false when it exists. */
async function create(file: string, owner: FolderOwner): Promise<boolean> {
  const draft = await write(file, owner);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(file: string, owner: FolderOwner): Promise<void> {
  await rename(await write(file, owner), file);
}

async function write(file: string, owner: FolderOwner): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    await giveToFolderOwner(draft);
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
