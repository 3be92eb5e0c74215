import { readdir, readFile } from 'node:fs/promises';

/** A process's memory, bytes. `own`: without what is shared with others or is a file (shared buffers, programs). */
type Memory = { readonly resident: number; readonly own: number };

/** @throws where there is no /proc (not Linux), and when the process has ended */
export async function memoryOf(pid: number): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  return { resident: kib('VmRSS') * 1024, own: kib('RssAnon') * 1024 };
}

/** The largest growth of a process's memory while something is done, bytes. */
export function watchMemory(pid: number, before: number, kind: keyof Memory = 'own') {
  let most = before;
  const timer = setInterval(async () => {
    most = Math.max(most, (await memoryOf(pid))[kind]);
  }, 50);
  return {
    end(): number {
      clearInterval(timer);
      return most - before;
    },
  };
}

/** What a process has in memory, bytes: of pages that n processes share an n-th. @throws as memoryOf */
export async function shareOfMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s*(\d+) kB/m.exec(text)?.[1]) * 1024;
}

/** The parent of a process. @throws as memoryOf */
export async function parentOf(pid: number): Promise<number> {
  // After the name in brackets, which may hold spaces, come the state and the parent (proc_pid_stat(5)).
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.split(') ').at(-1)?.split(' ')[1]);
}

/** A process's command line, as it calls itself. @throws as memoryOf */
export const titleOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();

/** The process and its children. */
export async function familyOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((number) => number > 0);
  // One that ended between two looks is no child.
  const parents = await Promise.all(pids.map((one) => parentOf(one).catch(() => undefined)));
  return [pid, ...pids.filter((_, n) => parents[n] === pid)];
}

/** What memory may grow from the middle third of a run to its last third, and still be called flat. */
export const FLAT_SHARE = 0.1;

/**
 * Growth of the mean of the last third of the samples over that of the middle third, as a share of it: 0.1 is 10 %. The
 * first third is for warming up. @throws for fewer than three samples
 */
export function growth(samples: readonly number[]): number {
  const third = Math.floor(samples.length / 3);
  if (third === 0) throw new Error(`${samples.length} samples have no thirds.`);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(samples.slice(-third)) / mean(samples.slice(-2 * third, -third)) - 1;
}
