import { readdir, readFile } from 'node:fs/promises';

/** Clock ticks per second in /proc: 100 on every Linux that Node runs on (getconf CLK_TCK). */
const TICKS = 100;

/** Processor seconds so far. `all`: of the whole machine. `stolen`: what the host took for others. */
type Spent = { readonly process: number; readonly all: number; readonly stolen: number };

/**
 * Runs `work` and tells how many cores were busy meanwhile, `upload endpoint 1.00, machine 1.85, stolen 0.02`; undefined where
 * there is no /proc (not Linux).
 */
export async function withCores<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; cores: { process: number; all: number; stolen: number } | undefined }> {
  const before = await spent(pid);
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  const after = await spent(pid);
  if (!before || !after) return { result, cores: undefined };
  return {
    result,
    cores: {
      process: (after.process - before.process) / seconds,
      all: (after.all - before.all) / seconds,
      stolen: (after.stolen - before.stolen) / seconds,
    },
  };
}

async function spent(pid: number): Promise<Spent | undefined> {
  try {
    const own = await statOf(pid);
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
      (await readFile('/proc/stat', 'utf8')).split('\n', 1)[0]?.split(/\s+/).slice(1).map(Number) ?? [];
    return {
      process: ((own[11] ?? 0) + (own[12] ?? 0)) / TICKS,
      all: (user + nice + system + irq + softirq) / TICKS,
      stolen: steal / TICKS,
    };
  } catch {
    return undefined;
  }
}

/** After the name in brackets, which may hold spaces: field 3 of proc_pid_stat(5) is the first. */
const statOf = async (pid: number | string): Promise<number[]> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ').map(Number) ?? [];

/** Processor seconds so far of a process and of its children, those that have ended too. Linux only. */
export async function spentWithChildren(pid: number): Promise<number> {
  let ticks = 0;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // It may have ended since.
    const own = await statOf(name).catch((): number[] => []);
    const isIt = Number(name) === pid;
    if (!isIt && own[1] !== pid) continue;
    ticks += (own[11] ?? 0) + (own[12] ?? 0);
    if (isIt) ticks += (own[13] ?? 0) + (own[14] ?? 0);
  }
  return ticks / TICKS;
}
