import { tellForecast } from '#server/charging-sessions/charge-forecasts.ts';
import { isRetryable, type Pool } from '#server/platform/database.ts';
import type { Warn } from '#server/platform/warn.ts';
import { countDays } from './count-days.ts';
import { findDue } from './day-figures.store.ts';

const EVERY_MS = 5_000;
/** Of every round: uploads and pages come first, and thousands of machines take turns. */
const BUDGET_MS = 1_000;
const AT_ONCE = 50;
/** What failed is not tried again before; others wait for their turn behind it. */
const AGAIN_AFTER_MS = 60_000;
export type DayCounting = {
  /** No more rounds; the one under way ends. */
  close(): Promise<void>;
};

/**
 * Keeps days, presences and charging sessions up with what is stored, and tells when what charges will be full.
 * @param now ms
 */
export function startDayCounting(pool: Pool, warn: Warn, now: () => number): DayCounting {
  let closed = false;
  let running = Promise.resolve();
  /** Stream to when it may be tried again. */
  const failed = new Map<number, number>();
  /** @returns whether something was counted */
  const count = async (streamId: number): Promise<boolean> => {
    try {
      const isCounted = await countDays(pool, streamId);
      if (isCounted) await tellForecast(pool, streamId, now());
      return isCounted;
    } catch (error) {
      // It is due in the next round.
      if (isRetryable(error)) return false;
      warn(`The days of stream ${streamId} are counted later`, (error as Error).message);
      failed.set(streamId, performance.now() + AGAIN_AFTER_MS);
      return false;
    }
  };
  const round = async (): Promise<void> => {
    const until = performance.now() + BUDGET_MS;
    for (const [streamId, at] of failed) if (at <= performance.now()) failed.delete(streamId);
    // Each once: of a machine that reports every second there is always more.
    const counted = new Set<number>();
    for (let isMore = true; isMore; ) {
      isMore = false;
      for (const streamId of await findDue(pool, AT_ONCE, [...failed.keys(), ...counted])) {
        if (closed || performance.now() > until) return;
        isMore = (await count(streamId)) || isMore;
        counted.add(streamId);
      }
    }
  };
  const timer = setInterval(() => {
    running = running.then(round).catch((error: Error) => warn('Days are counted later', error.message));
  }, EVERY_MS).unref();
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}
