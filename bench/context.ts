import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Resources of one benchmark or fault-injection test. All are released when the benchmark or test ends, fails or is interrupted. */
export type BenchContext = {
  /** Makes a new, empty folder. */
  folder(): Promise<string>;
  /** Adds a function that releases a resource when the benchmark or fault-injection test ends. Closers run in reverse order. */
  onClose(closer: () => Promise<unknown>): void;
  /** Prints a line of progress. */
  log(line: string): void;
};

function openContext() {
  const closers: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;
  const log = (line: string) => console.log(`  ${line}`);
  async function closeAll(): Promise<void> {
    for (let closer = closers.pop(); closer; closer = closers.pop())
      await closer().catch((error: Error) => log(`Cleaning up failed: ${error.message}`));
  }
  const context: BenchContext = {
    log,
    async folder() {
      const path = await mkdtemp(join(tmpdir(), 'werkstroom-bench-'));
      closers.push(() => rm(path, { recursive: true, force: true }));
      return path;
    },
    onClose: (closer) => void closers.push(closer),
  };
  return {
    context,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Returns a runner that gives each benchmark or fault-injection test a context, and closes the context afterwards, also on Ctrl-C. */
export function openRunner() {
  let current: ReturnType<typeof openContext> | undefined;
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interrupted = true;
      void Promise.resolve(current?.close()).then(() => process.exit(130));
    });
  return {
    isInterrupted: () => interrupted,
    /** Returns the result of `work`. If `work` throws, returns the result of `onError`, and the exit code of the process becomes 1. */
    async run<T>(
      title: string,
      work: (context: BenchContext) => Promise<T>,
      onError: (error: unknown) => T,
    ): Promise<T> {
      console.log(`\n${title}`);
      current = openContext();
      try {
        return await work(current.context);
      } catch (error) {
        if (!interrupted) console.error(error);
        process.exitCode = 1;
        return onError(error);
      } finally {
        await current.close();
      }
    },
  };
}

/** Returns those of the names `all` that are among `words` (the arguments), or all if there are none. Exits with 1 for an unknown name. */
export function namesFromCommandLine(all: readonly string[], words: readonly string[]): readonly string[] {
  const unknown = words.filter((name) => !all.includes(name));
  if (unknown.length === 0) return words.length === 0 ? all : all.filter((name) => words.includes(name));
  console.error(`There is no ${unknown.join(', ')}. There is: ${all.join(', ')}.`);
  process.exit(1);
}
