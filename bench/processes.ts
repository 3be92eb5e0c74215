import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BenchContext } from './context.ts';

/** Runs a file as a separate Node process, which ends when the context closes. @param file path relative to this folder */
export function startHelper(context: BenchContext, file: string, ...args: string[]): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const exited = once(child, 'exit');
  context.onClose(async () => {
    if (child.connected) child.disconnect();
    await exited;
  });
  return child;
}

/** Returns the next message of a helper. @throws when the helper ends first */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`A helper process ended (${code}).`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message as Message;
  } finally {
    ended.catch(() => {});
    settled.abort();
  }
}

/** Returns the resident memory of a process in bytes. Linux only, as everything below. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** Measures the resident memory of a process, bytes: `before` at the call, and by how much it grew at most when `end` is called. */
export async function watchMemory(pid: number) {
  const before = await residentBytes(pid);
  let most = before;
  const timer = setInterval(async () => {
    most = Math.max(most, await residentBytes(pid).catch(() => 0));
  }, 50);
  return {
    before,
    end(): number {
      clearInterval(timer);
      return most - before;
    },
  };
}

/** Clock ticks per second in /proc: 100 on every Linux that Node runs on (getconf CLK_TCK). */
const TICKS = 100;

/** Returns the fields of /proc/PID/stat from field 3 (see proc_pid_stat(5)), after the process name, which may contain spaces. */
const statOf = async (pid: number | string): Promise<number[]> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ').map(Number) ?? [];

export const parentProcessOf = async (pid: number): Promise<number> => (await statOf(pid))[1] ?? 0;

/** Processor seconds of a process so far. */
async function secondsOf(pid: number): Promise<number> {
  const stat = await statOf(pid);
  return ((stat[11] ?? 0) + (stat[12] ?? 0)) / TICKS;
}

/** Processor seconds so far of a process and its children, ended ones included. */
async function secondsOfFamily(pid: number): Promise<number> {
  let ticks = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // A process may have ended after /proc was listed.
    const own = await statOf(name).catch((): number[] => []);
    const isParent = Number(name) === pid;
    if (!isParent && own[1] !== pid) continue;
    ticks += (own[11] ?? 0) + (own[12] ?? 0);
    if (isParent) ticks += (own[13] ?? 0) + (own[14] ?? 0);
  }
  return ticks / TICKS;
}

/** Average numbers of processor cores that were busy. */
export type BusyCores = {
  /** Busy cores of the measured process, and of `postmaster` with its child processes. */
  readonly process: number;
  readonly database: number;
  /** Busy cores of all processes of the computer, and cores that its host gave to other virtual machines. */
  readonly all: number;
  readonly stolen: number;
};

/** Runs `work` and returns how many cores were busy meanwhile. */
export async function measureCores<T>(
  pid: number,
  work: () => Promise<T>,
  postmaster?: number,
): Promise<{ result: T; cores: BusyCores }> {
  const spent = async () => {
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
      (await readFile('/proc/stat', 'utf8')).split('\n', 1)[0]?.split(/\s+/).slice(1).map(Number) ?? [];
    const all = (user + nice + system + irq + softirq) / TICKS;
    const database = postmaster === undefined ? 0 : await secondsOfFamily(postmaster);
    return {
      process: await secondsOf(pid),
      database,
      all,
      stolen: steal / TICKS,
      at: performance.now() / 1000,
    };
  };
  const before = await spent();
  const result = await work();
  const after = await spent();
  const per = (key: keyof BusyCores) => (after[key] - before[key]) / (after.at - before.at);
  return {
    result,
    cores: { process: per('process'), database: per('database'), all: per('all'), stolen: per('stolen') },
  };
}
