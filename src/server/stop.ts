import type { Logger } from 'pino';
import { onNpmExit } from './platform/npm.ts';

/** Deadlines of stopping a process, in ms after the first signal. */
export type StopLimits = {
  /** Time at which the database is stopped even if requests or statements are in progress. */
  readonly giveUpMs: number;
  /** Time at which the process ends in any case. */
  readonly deadlineMs: number;
};

const STOP_LIMITS: StopLimits = { giveUpMs: 7_000, deadlineMs: 10_000 };
/** Time in ms within which npm repeats the terminal's Ctrl-C; the repetition does not count as a second signal. */
const SAME_PRESS_MS = 250;

/**
 * Stops the serving parts, then, in any case, the database. Acknowledged data is stored: an upload that could not be stored in time was not
 * acknowledged.
 * @param serving stops the serving parts: refuses new requests, answers those in progress, and stores accepted data
 * @param below stops the database
 * @returns sentences about parts that did not end; empty when all parts ended
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
 * Runs `stop` once, at SIGINT, SIGTERM or SIGHUP, when the parent npm process ends, or on request, and ends the process: with exit
 * code 0 when `stop` returned no sentences, otherwise with 1 and one log line. If the same signal arrives again, the process ends at
 * once. A SIGTERM after a SIGINT does not end the process at once, because `npm run demo` sends SIGTERM to its processes one by one
 * after a Ctrl-C that they all received.
 * @returns a function that ends the process for a given reason, with exit code 1
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
  const received = new Map<NodeJS.Signals, number>();
  const onSignal = (name: NodeJS.Signals): void => {
    const now = performance.now();
    if (now - (received.get(name) ?? now) > SAME_PRESS_MS) process.exit(1);
    if (!received.has(name)) received.set(name, now);
    begin(0);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  onNpmExit(() => begin(0));
  return (reason) => {
    log.error(reason);
    begin(1);
  };
}
