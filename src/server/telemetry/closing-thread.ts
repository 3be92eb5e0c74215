import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { Warn } from '#server/platform/warn.ts';

/**
 * The task of the thread.
 * @property before rows from this time (ms) on stay in the table
 */
export type WeekClosingTask = {
  readonly connection: pg.ClientConfig;
  readonly before: number;
  readonly budgetMs: number;
};

/** A thread that moves readings of past weeks from rows into files. `end` ends it at once, and the step in progress has no effect. */
export type WeekClosingThread = { readonly ended: Promise<void>; end(): Promise<void> };

/** Memory limits of the thread, enough for files of 100,000 readings, decoded and encoded. */
const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 };

/**
 * Moves readings of past weeks into files in a separate thread, because encoding a file takes a third of a second. The thread
 * ends after the time limit, or when nothing is left, which frees its memory.
 */
export function startWeekClosing(order: WeekClosingTask, warn: Warn): WeekClosingThread {
  const worker = new Worker(new URL('./closing-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: LIMITS,
  });
  let isEnding = false;
  worker.on('message', (message: string) => warn('Closing a week: the database', message));
  worker.on('error', (error) => isEnding || warn('A week could not be closed', error.message));
  worker.unref();
  return {
    ended: new Promise((resolve) => worker.once('exit', () => resolve())),
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}
