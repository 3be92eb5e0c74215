import { readFileSync } from 'node:fs';

const EVERY_MS = 500;

/**
 * Calls `gone` once when the npm that started this process has gone, or the shell in which it runs a script. npm passes
 * SIGINT and SIGTERM on, to that shell, which does not; SIGHUP it does not pass on at all.
 */
export function whenNpmGoes(gone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = startedBy();
  const timer = setInterval(() => {
    if (startedBy() === before) return;
    clearInterval(timer);
    gone();
  }, EVERY_MS).unref();
}

/** Our parent, and where that is a shell that did not step aside for us, its parent: npm (proc_pid_stat(5)). */
function startedBy(): string {
  const parent = String(process.ppid);
  try {
    const [, name = '', grandparent] =
      /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'latin1')) ?? [];
    return name.endsWith('sh') ? `${parent} of ${grandparent}` : parent;
  } catch {
    // Not Linux, where shells step aside; or it has just ended.
    return parent;
  }
}
