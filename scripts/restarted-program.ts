import type { ChildProcess } from 'node:child_process';
import { type FSWatcher, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Delay before a restart, because an editor saves a file in several steps and git changes many files. */
const QUIET_MS = 150;

/** A program that is started again when a file changes. */
export type RestartedProgram = { stop(signal: NodeJS.Signals): void; readonly ended: Promise<void> };

const isSource = (file: string): boolean =>
  /\.(?:ts|sql|json)$|\.env$/.test(file) && !/\.test\.ts$|\/test\//.test(file);

/**
 * Starts a program, ends it with SIGTERM when a source file changes, and starts it again once it has ended. Tests are not watched.
 *
 * Not `node --watch`, because that sends messages of its own through the portal's worker threads (Node 24).
 * @param paths folders, with what is below them, and files; an absent one is ignored
 * @param changed called with the changed file before the program is ended
 */
export function restartOnChanges(
  start: () => ChildProcess,
  paths: readonly string[],
  changed: (file: string) => void,
): RestartedProgram {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let isStale = false;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  function launch(): void {
    isStale = false;
    child = start();
    child.once('exit', () => {
      child = undefined;
      if (isStopping) end();
      else if (isStale) launch();
    });
  }

  function restart(): void {
    isStale = true;
    if (child) child.kill('SIGTERM');
    else launch();
  }

  const watchers: FSWatcher[] = paths
    .filter((path) => statSync(path, { throwIfNoEntry: false }))
    .map((path) =>
      watch(path, { recursive: true }, (_event, name) => {
        const file = name === null || statSync(path).isFile() ? path : join(path, name);
        if (!isSource(file) || isStopping) return;
        clearTimeout(timer);
        timer = setTimeout(() => {
          changed(file);
          restart();
        }, QUIET_MS);
      }),
    );
  launch();
  return {
    ended,
    stop(signal) {
      isStopping = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      if (child) child.kill(signal);
      else end();
    },
  };
}
