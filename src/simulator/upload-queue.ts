import { setTimeout as wait } from 'node:timers/promises';

/** A file to upload. `body` makes its content when the file is sent. */
export type OutgoingFile = { readonly key: string; readonly body: () => string | Uint8Array };

export type UploadQueueOptions = {
  /** Uploads one file; rejects if it was not acknowledged. */
  readonly put: (file: OutgoingFile, signal: AbortSignal) => Promise<void>;
  readonly delivered: () => void;
  readonly failed: (error: unknown) => void;
  /** Maximum number of files that are kept while the portal is unreachable; the oldest are dropped. */
  readonly limit: number;
  /** Delay before the first retry; it doubles up to `longestRetryMs`. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
};

export type UploadQueue = {
  readonly add: (file: OutgoingFile) => void;
  readonly length: () => number;
  /** Waits at most `graceMs` for the upload in progress, then drops the other files. */
  readonly close: (graceMs: number) => Promise<void>;
};

/** Delivers files one by one in the order in which they were added, and retries each until it is acknowledged. */
export function uploadQueue(options: UploadQueueOptions): UploadQueue {
  const waiting: OutgoingFile[] = [];
  const closing = new AbortController();
  const cut = new AbortController();
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    let retryMs = options.firstRetryMs;
    for (let file = waiting[0]; file && !closing.signal.aborted; file = waiting[0]) {
      try {
        await options.put(file, cut.signal);
        if (waiting[0] === file) waiting.shift(); // the file may have been dropped meanwhile
        retryMs = options.firstRetryMs;
        options.delivered();
      } catch (error) {
        if (closing.signal.aborted) break;
        options.failed(error);
        // Applies a random factor, so that the loggers do not retry at the same moment.
        await wait(retryMs * (0.8 + 0.4 * Math.random()), undefined, { signal: closing.signal }).catch(
          () => {},
        );
        retryMs = Math.min(2 * retryMs, options.longestRetryMs);
      }
    }
    draining = undefined;
  }

  return {
    add(file) {
      if (closing.signal.aborted) return;
      waiting.push(file);
      if (waiting.length > options.limit) waiting.shift();
      draining ??= drain();
    },
    length: () => waiting.length,
    async close(graceMs) {
      closing.abort();
      const timer = setTimeout(() => cut.abort(), graceMs);
      await draining;
      clearTimeout(timer);
    },
  };
}
