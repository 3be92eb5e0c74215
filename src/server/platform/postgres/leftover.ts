import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processCommand, processState } from './process-state.ts';
import { DatabaseStartError } from './start-error.ts';

const ZOMBIE_MS = 10_000;
const QUIT_AFTER_MS = 20_000;
const GIVE_UP_AFTER_MS = 40_000;
const EMPTY_MS = 1000;
const LOOK_EVERY_MS = 50;

/** Content of postmaster.pid (src/include/utils/pidfile.h of PostgreSQL: one item per line). */
type PostmasterFile = {
  /** 0 if the file is empty; negative for a server without clients (single-user mode). */
  readonly pid: number;
  readonly port: number;
  /** Folder of the server's socket; empty when it listens on TCP. */
  readonly socketFolder: string;
  /** PostgreSQL fills the file line by line; only a complete one is reliable. */
  readonly ready: boolean;
};

/** Reads postmaster.pid of a cluster. Returns undefined if no postmaster was started there, or the last one ended cleanly. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (text === undefined) return undefined;
  const [pid, , , port, socketFolder, , , status] = text.split('\n');
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder ?? '',
    ready: status?.trim() === 'ready',
  };
}

/**
 * Cleans up after the postmaster of a portal process that died, so that a new postmaster can start. Only the process that holds the lock of
 * the data folder may call this. Stops a postmaster that is alive. Deletes postmaster.pid when its process id now belongs to another
 * program, because PostgreSQL would refuse to start, or when the file stays empty. Waits up to 10 s for a zombie, then deletes the file;
 * PostgreSQL still refuses to start while a process of the old server uses its shared memory.
 */
export async function cleanUpLeftoverPostmaster(cluster: string, log: (line: string) => void): Promise<void> {
  const began = Date.now();
  let wasLogged = false;
  let asked = 0;
  for (;;) {
    const file = await readPostmasterFile(cluster);
    if (file === undefined) return;
    const waited = Date.now() - began;
    if (file.pid === 0) {
      if (waited > EMPTY_MS) return forget(cluster);
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    const pid = Math.abs(file.pid);
    const state = await processState(pid);
    if (state === undefined) return;
    if (state.zombie) {
      if (waited > ZOMBIE_MS) return forget(cluster);
    } else if (!(await isPostmasterOf(cluster, pid))) {
      // In the meantime the process may have become a zombie, which has no command.
      const again = await processState(pid);
      if (again !== undefined && !again.zombie) return forget(cluster);
    } else {
      if (!wasLogged) log(`Stopping the PostgreSQL (process ${pid}) of an earlier start.`);
      wasLogged = true;
      if (asked === 0) asked = send(pid, 'SIGINT');
      if (asked === 1 && waited > QUIT_AFTER_MS) asked += send(pid, 'SIGQUIT');
      if (waited > GIVE_UP_AFTER_MS)
        throw new DatabaseStartError(
          `The PostgreSQL of an earlier start (process ${pid}) does not stop. Stop it by hand, then start again.`,
        );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** Returns whether this process is the postmaster of this cluster. A postmaster keeps its command line; its children change theirs. */
async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  const command = await processCommand(pid);
  return (
    command.includes('postgres') &&
    [` -D ${cluster} `, ` -D "${cluster}" `].some((data) => command.includes(data))
  );
}

/** Sends a signal to a process, if it still exists. Returns 1, with which the caller counts its signals. */
function send(pid: number, signal: 'SIGINT' | 'SIGQUIT'): number {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH')
      throw new DatabaseStartError(
        `The PostgreSQL of an earlier start (process ${pid}) belongs to another user and may not be stopped by this one. Start as that user.`,
        { cause: error },
      );
  }
  return 1;
}

async function forget(cluster: string): Promise<void> {
  await rm(path.join(cluster, 'postmaster.pid'), { force: true });
}
