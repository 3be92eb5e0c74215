import type { Logger } from 'pino';
import { whenNpmGoes } from './platform/npm.ts';

/** Time limits of a stop, counted from the first signal. */
export type StopLimits = {
  /** The database is stopped then, even if requests or statements are under way. */
  readonly giveUpMs: number;
  /** The process exits then, whatever is still running. */
  readonly deadlineMs: number;
};

const STOP_LIMITS: StopLimits = { giveUpMs: 7_000, deadlineMs: 10_000 };
/** npm repeats the terminal's Ctrl-C within moments; a repetition within this time does not count. */
const SAME_PRESS_MS = 250;

/**
 * Stops the server, and then, in any case, the database. An upload that could not be stored in time was not acknowledged.
 * @param serving refuses new requests, answers those under way and stores the accepted uploads
 * @param below stops the database
 * @returns a sentence for each part that did not stop
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
 * Runs `stop` once, on SIGINT, SIGTERM or SIGHUP, when the npm that started the process ends, or when the returned function is
 * called. Then exits with 0, or with 1 and one line if `stop` returned troubles. A second equal signal exits at once; SIGTERM
 * after SIGINT does not, because `npm run demo` ends its processes one by one after a Ctrl-C that all of them got.
 * @returns function that stops the process for a reason, with exit code 1
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
  whenNpmGoes(() => begin(0));
  return (reason) => {
    log.error(reason);
    begin(1);
  };
}
