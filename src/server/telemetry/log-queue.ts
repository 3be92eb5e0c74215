import { FunnelUnavailable } from './funnel.ts';

/**
 * Lets few log files be decoded and stored at a time, and one of each logger, in the order in which they came. Who
 * waits holds its spool file and nothing else: no connection to the database, no memory.
 */
export type LogQueue = {
  /** @throws FunnelUnavailable when its turn does not come in time, and what `work` throws */
  run(logger: string, work: () => Promise<void>): Promise<void>;
};

type Waiting = { readonly logger: string; readonly start: () => void };

/** @param patienceMs longest wait; a client would give up by itself, and a refusal tells it to come back */
export function openLogQueue(limits: { readonly atOnce: number; readonly patienceMs: number }): LogQueue {
  const busy = new Set<string>();
  const waiting: Waiting[] = [];

  function startNext(): void {
    while (busy.size < limits.atOnce) {
      const place = waiting.findIndex(({ logger }) => !busy.has(logger));
      const [first] = place < 0 ? [] : waiting.splice(place, 1);
      if (!first) return;
      busy.add(first.logger);
      first.start();
    }
  }

  const turn = (logger: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(mine), 1);
        reject(new FunnelUnavailable('Too many log files wait to be decoded.'));
      };
      const timer = setTimeout(leave, limits.patienceMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const mine: Waiting = { logger, start };
      waiting.push(mine);
      startNext();
    });

  return {
    async run(logger, work) {
      await turn(logger);
      try {
        await work();
      } finally {
        busy.delete(logger);
        startNext();
      }
    },
  };
}
