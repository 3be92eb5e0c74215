const TICK_MS = 10;

export type EventLoopMonitor = {
  begin(): void;
  end(): void;
  /** Returns the longest turn of the event loop, in ms of processor time, and the requests that `context` gave right after it. */
  longest(): { readonly ms: number; readonly requests: readonly string[] };
};

/**
 * Measures the longest turn of this thread's event loop. Counts the thread's processor time, so that other load on the computer has no
 * influence.
 */
export function monitorEventLoop(context: () => readonly string[]): EventLoopMonitor {
  let longest: { ms: number; requests: readonly string[] } = { ms: 0, requests: [] };
  let timer: NodeJS.Timeout | undefined;
  let before = 0;
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  return {
    begin() {
      before = cpuMs();
      timer = setInterval(() => {
        const now = cpuMs();
        if (now - before > longest.ms) longest = { ms: now - before, requests: context() };
        before = now;
      }, TICK_MS);
    },
    end: () => clearInterval(timer),
    longest: () => longest,
  };
}
