import { readFileSync } from 'node:fs';

const EVERY_MS = 500;

/**
 * Calls `gone` once when the npm that started this process has ended, or the shell in which npm ran it. A signal that ends npm does not
 * reach this process: npm passes SIGINT and SIGTERM to that shell only, which does not pass them on, and SIGHUP to no process.
 */
export function onNpmExit(gone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = startedBy();
  const timer = setInterval(() => {
    if (startedBy() === before) return;
    clearInterval(timer);
    gone();
  }, EVERY_MS).unref();
}

/**
 * Returns a text that identifies what started this process: the id of its parent, and if the parent is a shell also the id of the
 * shell's parent, which is npm (proc_pid_stat(5)).
 */
function startedBy(): string {
  const parent = String(process.ppid);
  try {
    const [, name = '', grandparent] =
      /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'latin1')) ?? [];
    return name.endsWith('sh') ? `${parent} of ${grandparent}` : parent;
  } catch {
    // Systems other than Linux have no /proc, or the shell has just ended.
    return parent;
  }
}
