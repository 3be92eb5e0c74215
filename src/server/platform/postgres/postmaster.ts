import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { environment } from './account.ts';
import type { DataFolder } from './data-folder.ts';
import { program } from './programs.ts';
import type { Runner } from './runner.ts';
import { openLog } from './server-log.ts';

const QUIT_AFTER_MS = 20_000;
const KILL_AFTER_MS = 30_000;

/** A running PostgreSQL server: its first process, the postmaster. */
export type Postmaster = {
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  /** Ends it: clients are cut, everything is written (fast shutdown); harder after 20 s. */
  stop(): Promise<void>;
  /** The same without waiting, for the last moment of our own process. */
  signal(): void;
  /** Our process need not stay alive for it. */
  letGo(): void;
};

/**
 * Starts PostgreSQL; it is not ready yet when this returns.
 * @param settings `name=value`
 * @throws file errors of the log
 */
export async function startPostmaster(
  data: DataFolder,
  runner: Runner,
  settings: readonly string[],
): Promise<Postmaster> {
  const { account, programs, prefix } = runner;
  const options = settings.flatMap((setting) => ['-c', setting]);
  const postgres = [program(programs, 'postgres'), '-D', data.cluster, ...options];
  const [file = '', ...args] = [...account.wrap, ...prefix, ...postgres];
  const log = await openLog(data.log);
  try {
    const child = spawn(file, args, {
      ...account.become,
      env: environment(),
      cwd: path.parse(data.path).root,
      // A session of its own: Ctrl-C in the terminal is for us; we stop it when our work is done.
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    return control(child, data, runner);
  } finally {
    await log.close();
  }
}

function control(child: ChildProcess, data: DataFolder, runner: Runner): Postmaster {
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
    letGo: () => child.unref(),
  };
}

/** Windows has no signals; pg_ctl speaks to the postmaster through a named pipe. */
function stopOnWindows(data: DataFolder, runner: Runner, mode: 'fast' | 'immediate'): void {
  execFile(program(runner.programs, 'pg_ctl'), ['stop', '-D', data.cluster, '-m', mode], {
    windowsHide: true,
  });
}
