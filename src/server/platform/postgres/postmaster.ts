import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { postgresEnvironment } from './account.ts';
import { type DataFolder, giveToFolderOwner } from './data-folder.ts';
import { postgresProgramPath } from './programs.ts';
import type { PostgresRunner } from './runner.ts';

const QUIT_AFTER_MS = 20_000;
const KILL_AFTER_MS = 30_000;

/** A running PostgreSQL server: its first process, the postmaster. */
export type Postmaster = {
  /** Resolves when the server has ended, with a text that says how. */
  readonly ended: Promise<string>;
  /** Ends the server: disconnects clients and writes everything (fast shutdown); after 20 s an immediate shutdown. */
  stop(): Promise<void>;
  /** Sends the stop signal without waiting, for use when this process exits. */
  signal(): void;
  /** Allows this process to end while PostgreSQL runs. */
  unref(): void;
};

/**
 * Starts PostgreSQL. The server is not ready yet when this returns.
 * @param settings the server's settings, each as `name=value`
 * @throws file errors of the log
 */
export async function startPostmaster(
  data: DataFolder,
  runner: PostgresRunner,
  settings: readonly string[],
): Promise<Postmaster> {
  const { account, programs, prefix } = runner;
  const options = settings.flatMap((setting) => ['-c', setting]);
  const postgres = [postgresProgramPath(programs, 'postgres'), '-D', data.cluster, ...options];
  const [file = '', ...args] = [...account.wrap, ...prefix, ...postgres];
  const log = await openLog(data.log);
  try {
    const child = spawn(file, args, {
      ...account.become,
      env: postgresEnvironment(),
      cwd: path.parse(data.path).root,
      // PostgreSQL runs in its own session, so that Ctrl-C in the terminal reaches only this process, which stops PostgreSQL at the
      // end of its own shutdown.
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    return control(child, data, runner);
  } finally {
    await log.close();
  }
}

function control(child: ChildProcess, data: DataFolder, runner: PostgresRunner): Postmaster {
  let running = true;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      running = false;
      resolve(how);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
  const signal = (name: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => {
    if (!running) return;
    if (process.platform === 'win32') stopOnWindows(data, runner, name === 'SIGINT' ? 'fast' : 'immediate');
    else child.kill(name);
  };
  return {
    ended,
    async stop() {
      child.ref();
      signal('SIGINT');
      const quit = setTimeout(() => signal('SIGQUIT'), QUIT_AFTER_MS);
      const kill = setTimeout(() => signal('SIGKILL'), KILL_AFTER_MS);
      await ended;
      clearTimeout(quit);
      clearTimeout(kill);
    },
    signal: () => signal('SIGINT'),
    unref: () => child.unref(),
  };
}

/** Stops PostgreSQL on Windows, which has no signals: pg_ctl reaches the postmaster through a named pipe. */
function stopOnWindows(data: DataFolder, runner: PostgresRunner, mode: 'fast' | 'immediate'): void {
  execFile(postgresProgramPath(runner.programs, 'pg_ctl'), ['stop', '-D', data.cluster, '-m', mode], {
    env: postgresEnvironment(),
    windowsHide: true,
  });
}

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 8 * 1024;

/** Moves a log over 10 MB to `{file}.1`, replacing the previous one. Call it only while no PostgreSQL writes to it. */
export async function rotateLog(file: string): Promise<void> {
  if ((await logFileBytes(file)) > ROTATE_ABOVE_BYTES) await rename(file, `${file}.1`);
}

/** Opens the log for PostgreSQL's stdout and stderr; the caller closes its handle once the program runs. */
async function openLog(file: string): Promise<FileHandle> {
  const log = await open(file, 'a', 0o600);
  await giveToFolderOwner(file);
  return log;
}

/** Returns the size in bytes; 0 when there is no log yet. */
export async function logFileBytes(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** Returns the text since `from` (bytes), at most its last 8 kB. */
export async function readLogSince(file: string, from: number): Promise<string> {
  const size = await logFileBytes(file);
  const start = Math.max(from, size - TAIL_BYTES);
  if (size <= start) return '';
  const log = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await log.close();
  }
}
