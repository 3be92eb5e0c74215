import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import os from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

type ProcessState = {
  /** Dead, but its parent has not collected it yet: it holds no file and no memory any more. */
  readonly zombie: boolean;
  /** When it started, in whatever unit the system counts; with the process id it is never reused. */
  readonly started: string;
};

/**
 * The state of the process with this id; undefined when there is none.
 * Linux reads /proc/{pid}/stat (proc(5): field 3 is the state, 22 the start in clock ticks since boot),
 * macOS asks ps; Windows knows only that the id is in use (`started` is '').
 */
export async function processState(pid: number): Promise<ProcessState | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name (field 2) is in parentheses and may hold anything, spaces and parentheses included.
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

/** The words the process was started with, separated by spaces; empty when that cannot be seen. */
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

/** Within one place process ids can be looked up: this machine, this boot, this container (pid namespace). */
export async function processPlace(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const space = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${os.hostname()} ${boot.trim()} ${space}`.trim();
}
