import { storeForecast } from '#server/charging-sessions/charge-forecasts.ts';
import { isRetryable, type Pool } from '#server/platform/database.ts';
import { openSerialQueue } from '#server/platform/serial.ts';
import type { Warn } from '#server/platform/warn.ts';
import { computeDays } from './compute-days.ts';
import { findOutdatedStreams } from './day-figures.store.ts';

const EVERY_MS = 5_000;
/** Time limit of a round, so that uploads and pages have priority and thousands of machines are handled fairly. */
const BUDGET_MS = 1_000;
const AT_ONCE = 50;
/** Delay before a failed stream is tried again, so that it does not block others. */
const AGAIN_AFTER_MS = 60_000;
export type DayComputation = {
  /** Stops after the present round. */
  close(): Promise<void>;
};

/**
 * Keeps days, presences and charging sessions up to date in the background, and stores charge forecasts.
 * @param now returns ms
 */
export function startDayComputation(pool: Pool, warn: Warn, now: () => number): DayComputation {
  let closed = false;
  const rounds = openSerialQueue();
  /** Failed streams, and the time at which each may be tried again. */
  const failed = new Map<number, number>();
  /** Computes the days of one stream. @returns whether days were computed */
  const compute = async (streamId: number): Promise<boolean> => {
    try {
      const isComputed = await computeDays(pool, streamId);
      if (isComputed) await storeForecast(pool, streamId, now());
      return isComputed;
    } catch (error) {
      // Needs no warning: the next round tries this stream again.
      if (isRetryable(error)) return false;
      warn(
        `The days of stream ${streamId} could not be computed; retrying in 60 s`,
        (error as Error).message,
      );
      failed.set(streamId, performance.now() + AGAIN_AFTER_MS);
      return false;
    }
  };
  const round = async (): Promise<void> => {
    const until = performance.now() + BUDGET_MS;
    for (const [streamId, at] of failed) if (at <= performance.now()) failed.delete(streamId);
    // Computes a stream once per round, because a machine that reports every second is always outdated.
    const computed = new Set<number>();
    for (let isMore = true; isMore; ) {
      isMore = false;
      for (const streamId of await findOutdatedStreams(pool, AT_ONCE, [...failed.keys(), ...computed])) {
        if (closed || performance.now() > until) return;
        isMore = (await compute(streamId)) || isMore;
        computed.add(streamId);
      }
    }
  };
  const timer = setInterval(() => {
    rounds
      .run(round)
      .catch((error: Error) => warn('Outdated days could not be read; retrying in 5 s', error.message));
  }, EVERY_MS).unref();
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      await rounds.ended();
    },
  };
}
