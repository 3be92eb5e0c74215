import { readFile } from 'node:fs/promises';

/** Clock ticks per second in /proc: 100 on every Linux that Node runs on (getconf CLK_TCK). */
const TICKS = 100;

/** Processor seconds so far. `all`: of the whole machine. `stolen`: what the host took for others. */
type Spent = { readonly process: number; readonly all: number; readonly stolen: number };

/**
 * Runs `work` and tells how many cores were busy meanwhile, `door 1.00, machine 1.85, stolen 0.02`; undefined where
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
    // After the name in brackets, which may hold spaces: field 3 of proc_pid_stat(5) is the first.
    const own =
      (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ').map(Number) ?? [];
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
