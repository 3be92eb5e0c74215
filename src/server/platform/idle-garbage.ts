import { type EventLoopUtilization, performance } from 'node:perf_hooks';

const EVERY_MS = 60_000;
/** Share of the time that the process worked, up to which it counts as idle. */
const IDLE = 0.2;
const MIB = 1024 * 1024;
/** A smaller heap is not worth a collection. */
const LEAST_HEAP = 128 * MIB;
/** With this much in use a collection stops the process for a third of a second. */
const MOST_USED = 256 * MIB;

/**
 * Collects garbage once a minute, if it is worth it and the process has little to do. V8 otherwise keeps what a busy hour needed until the
 * heap is four times as large as what is used. Node must have been started with --expose-gc, as `npm start` does.
 */
export function collectWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    collectIfIdle(before);
    before = performance.eventLoopUtilization();
  }, EVERY_MS).unref();
}

/** @param since the utilization at the start of the time that counts. @returns whether garbage was collected */
export function collectIfIdle(since: EventLoopUtilization): boolean {
  const { heapTotal, heapUsed } = process.memoryUsage();
  const isIdle = performance.eventLoopUtilization(since).utilization < IDLE;
  if (!globalThis.gc || !isIdle || heapTotal < LEAST_HEAP || heapUsed > MOST_USED) return false;
  // Other flavors keep the pages of the heap.
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return true;
}
