import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import os from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

type ProcessState = {
  /** The process is dead, but its parent has not collected it yet: it holds no files and no memory. */
  readonly zombie: boolean;
  /** Start time in the system's own unit. Process id and start time together are unique. */
  readonly started: string;
};

/**
 * Returns the state of the process with this id; undefined if there is none. On Linux reads /proc/{pid}/stat (proc(5): field 3 is
 * the state, 22 the start in clock ticks since boot), on macOS runs ps. On Windows only learns that the id is in use (`started` is
 * '').
 */
export async function processState(pid: number): Promise<ProcessState | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name (field 2) is in parentheses and may contain spaces and parentheses.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields === undefined) return undefined;
    return { zombie: fields[0] === 'Z' || fields[0] === 'X', started: fields[19] ?? '' };
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined;
  }
  if (process.platform === 'win32') return { zombie: false, started: '' };
  const listed = await run('ps', ['-o', 'state=,lstart=', '-p', `${pid}`]).catch(() => undefined);
  const [, state, started] = listed?.stdout.trim().match(/^(\S+)\s+(.*)$/) ?? [];
  return state === undefined ? undefined : { zombie: state.startsWith('Z'), started: started ?? '' };
}

/** Returns the command line of the process, with its words separated by spaces; empty if it is not visible. */
export async function processCommand(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return words.replaceAll('\0', ' ');
  }
  const ask =
    process.platform === 'win32'
      ? run('powershell', [
          '-NoProfile',
          '-Command',
          `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`,
        ])
      : run('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]);
  const listed = await ask.catch(() => undefined);
  return listed?.stdout ?? '';
}

/** Returns an id of the environment within which process ids are unique: this computer, this boot, this container (pid namespace). */
export async function pidNamespaceId(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const space = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${os.hostname()} ${boot.trim()} ${space}`.trim();
}
