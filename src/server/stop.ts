import type { Logger } from 'pino';
import { whenNpmGoes } from './platform/npm.ts';

/** How a process ends, ms after the first signal. */
export type StopLimits = {
  /** When the database is stopped although requests or statements are still under way. */
  readonly giveUpMs: number;
  /** When the process ends, whatever has not. */
  readonly deadlineMs: number;
};

const STOP_LIMITS: StopLimits = { giveUpMs: 7_000, deadlineMs: 10_000 };
/** npm passes the terminal's Ctrl-C on once more within moments; that is no second one. */
const SAME_PRESS_MS = 250;

/**
 * Ends what serves, then, in any case, what it stands on. Nothing is acknowledged that was not stored: what could not
 * be stored in time was not answered.
 * @param serving takes no new requests, answers those under way, stores what was taken
 * @param below the database
 * @returns what did not end, as sentences; nothing when all did
 */
export async function stopInOrder(
  serving: () => Promise<void>,
  below: () => Promise<void>,
  { giveUpMs, deadlineMs }: StopLimits = STOP_LIMITS,
): Promise<string[]> {
  const began = performance.now();
  const troubles: string[] = [];
  const within = async (what: string, work: () => Promise<void>, ms: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${Math.round(ms / 1000)} s`)), ms);
    });
    await Promise.race([work(), late]).catch((error: Error) => troubles.push(`${what}: ${error.message}`));
    clearTimeout(timer);
  };
  await within('requests and uploads under way', serving, giveUpMs);
  await within('the database', below, deadlineMs - (performance.now() - began));
  return troubles;
}

/**
 * Runs `stop` once, at SIGINT, SIGTERM or SIGHUP, when the npm that started us goes, or when asked, and ends the process: 0
 * when it returned no troubles, else 1 and one line. The same signal once more ends it at once; SIGTERM after SIGINT does not: that is `npm run demo`, which
 * ends its processes one by one after a Ctrl-C that they all got.
 * @returns ends the process for a reason of its own, with exit code 1
 */
export function stopOnSignals(log: Logger, stop: () => Promise<string[]>): (reason: string) => void {
  let stopping = false;
  const begin = (code: 0 | 1): void => {
    if (stopping) return;
    stopping = true;
    stop().then(
      (troubles) => {
        if (troubles.length > 0) log.error(`The portal did not stop cleanly: ${troubles.join('; ')}`);
        process.exit(troubles.length > 0 ? 1 : code);
      },
      (error: Error) => {
        log.error({ err: error }, 'The portal did not stop cleanly');
        process.exit(1);
      },
    );
  };
  const heard = new Map<NodeJS.Signals, number>();
  const onSignal = (name: NodeJS.Signals): void => {
    const now = performance.now();
    if (now - (heard.get(name) ?? now) > SAME_PRESS_MS) process.exit(1);
    if (!heard.has(name)) heard.set(name, now);
    begin(0);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  whenNpmGoes(() => begin(0));
  return (reason) => {
    log.error(reason);
    begin(1);
  };
}
