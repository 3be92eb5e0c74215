import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where one bench works: its folders and processes end with it, also when it fails or is interrupted. */
export type Workplace = {
  /** A new, empty folder. */
  folder(): Promise<string>;
  /** Closers run in reverse order. */
  onClose(closer: () => Promise<unknown>): void;
  /** Progress, for the terminal. */
  say(line: string): void;
  /** Idempotent. */
  close(): Promise<void>;
};

export function openWorkplace(say: (line: string) => void): Workplace {
  const closers: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    for (let closer = closers.pop(); closer; closer = closers.pop()) {
      await closer().catch((error: Error) => say(`Clearing away failed: ${error.message}`));
    }
  }

  return {
    say,
    async folder() {
      const path = await mkdtemp(join(tmpdir(), 'werkstroom-bench-'));
      closers.push(() => rm(path, { recursive: true, force: true }));
      return path;
    },
    onClose: (closer) => void closers.push(closer),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
