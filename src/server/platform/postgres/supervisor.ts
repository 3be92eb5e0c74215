import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** A server that ran this long did not fail from its start: the next pause is short again. */
const STEADY_MS = 60_000;

/**
 * Keeps PostgreSQL running: when it ends by itself it is started again, after a pause that doubles while it
 * keeps failing.
 * @param first a server that answers
 * @param start starts the next one; rejects when it does not answer or is cancelled
 * @returns stop: ends it for good, once; every call waits for the same end
 */
export function supervise(
  first: Postmaster,
  start: (cancelled: AbortSignal) => Promise<Postmaster>,
  log: (line: string) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let current: Postmaster | undefined = first;
  const atExit = () => current?.signal();
  // Without setpriv this is what keeps a process that forgets stop() from leaving its server behind.
  process.on('exit', atExit);
  first.letGo();

  const watching = (async () => {
    let pauseMs = FIRST_PAUSE_MS;
    while (current !== undefined) {
      const since = Date.now();
      const how = await current.ended;
      current = undefined;
      if (Date.now() - since > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      if (!stopping.signal.aborted) log(`PostgreSQL ended by itself (${how}); starting it again.`);
      while (current === undefined && !stopping.signal.aborted) {
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        if (stopping.signal.aborted) break;
        try {
          current = await start(stopping.signal);
          current.letGo();
          log('PostgreSQL answers again.');
        } catch (error) {
          if (!stopping.signal.aborted) log(error instanceof Error ? error.message : String(error));
        }
      }
      if (stopping.signal.aborted) await current?.stop();
    }
  })();

  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopped ??= (async () => {
        stopping.abort();
        await current?.stop();
        await watching;
        process.off('exit', atExit);
      })();
      return stopped;
    },
  };
}
