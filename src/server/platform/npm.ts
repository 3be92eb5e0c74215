import { readFileSync } from 'node:fs';

const EVERY_MS = 500;

/**
 * Calls `gone` once when the npm that started this process, or the shell of its script, has ended. npm passes SIGINT and
 * SIGTERM to that shell, which does not pass them on, and does not pass SIGHUP on at all.
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
 * Returns the id of the process that started this one: its parent; or, if the parent is a shell that waits for this process, the
 * parent of that shell, which is npm (proc_pid_stat(5)).
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
