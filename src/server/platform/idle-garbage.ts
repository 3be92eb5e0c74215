import { type EventLoopUtilization, performance } from 'node:perf_hooks';

const EVERY_MS = 60_000;
/** A process is idle if it works during less than this share of the time. */
const IDLE = 0.2;
const MIB = 1024 * 1024;
/** Smallest size of the heap, in bytes, at which a collection is worthwhile. */
const MIN_HEAP_BYTES = 128 * MIB;
/**
 * Largest used part of the heap, in bytes, at which garbage is collected: above it a collection would stop the process for more than a
 * third of a second.
 */
const MAX_USED_HEAP_BYTES = 256 * MIB;

/**
 * Collects garbage once a minute, if that is worthwhile and the process has little to do. Without it V8 keeps the memory of a busy
 * hour until the heap is four times as large as the part in use. Node must have been started with --expose-gc, as `npm start` does.
 */
export function startIdleGarbageCollection(): void {
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    collectIfIdle(before);
    before = performance.eventLoopUtilization();
  }, EVERY_MS).unref();
}

/**
 * Collects garbage if the process was idle.
 * @param since the event loop utilization at the start of the measured time
 * @returns whether garbage was collected
 */
export function collectIfIdle(since: EventLoopUtilization): boolean {
  const { heapTotal, heapUsed } = process.memoryUsage();
  const isIdle = performance.eventLoopUtilization(since).utilization < IDLE;
  if (!globalThis.gc || !isIdle || heapTotal < MIN_HEAP_BYTES || heapUsed > MAX_USED_HEAP_BYTES) return false;
  // The flavor 'last-resort' also releases the pages of the heap; other flavors keep them.
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return true;
}
