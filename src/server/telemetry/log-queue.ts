import { WriteQueueUnavailable } from './write-queue.ts';

/**
 * Limits how many log files are decoded and stored at the same time, with at most one per logger. Decoding slots are shared fairly:
 * when a slot becomes free, or its time slice is over, the file of the logger that has used the least time gets it. So a long file
 * is interrupted for a short one, and no logger waits for all files of another logger. A file that has not started uses only its
 * spool file. An interrupted file holds no database connection, but it holds the part that it has decompressed (some MB at most),
 * so the number of files in progress is limited.
 */
export type LogQueue = {
  /**
   * Runs `work` when the logger's file gets a slot.
   * @param work calls `giveWay` often, and waits for its promise: that resolves immediately, or when the file gets its next time
   * slice
   * @throws WriteQueueUnavailable when the file does not start in time, and any error of `work`
   */
  run(logger: string, work: (giveWay: () => Promise<void>) => Promise<void>): Promise<void>;
};

export type LogQueueLimits = {
  /** Number of slots: files that are decoded at the same time. */
  readonly atOnce: number;
  /** Maximum number of files that have started and are not finished. */
  readonly underWay: number;
  /** Time for which a file keeps a slot before another file may get it. */
  readonly sliceMs: number;
  /** Maximum wait before the start. After it the client gets an error and retries later; without an answer it would give up. */
  readonly patienceMs: number;
};

export const LOG_QUEUE_LIMITS: LogQueueLimits = {
  /** Each file uses at most one connection of the pool and one core; the rest stay free for live data. */
  atOnce: 2,
  /** A file of gzip bombs holds 10 MB while it is interrupted. */
  underWay: 16,
  /** A file with a few seconds of decoding need not wait for files that take minutes. */
  sliceMs: 100,
  /** rclone waits 5 minutes for an answer. */
  patienceMs: 4 * 60_000,
};

type QueuedFile = { readonly logger: string; start: () => void; sliceBegan: number };

export function openLogQueue({ atOnce, underWay, sliceMs, patienceMs }: LogQueueLimits): LogQueue {
  /** Files that wait for a slot, in the order in which they started to wait. */
  const waiting: QueuedFile[] = [];
  const running = new Set<QueuedFile>();
  /** Files in progress, running or interrupted, by logger. */
  const begun = new Map<string, QueuedFile>();
  const used = loggerTimes();

  const mayStart = (file: QueuedFile): boolean => {
    const mine = begun.get(file.logger);
    return mine === undefined ? begun.size < underWay : mine === file;
  };

  function startNext(): void {
    while (running.size < atOnce) {
      const next = used.least(waiting.filter(mayStart));
      if (next === undefined) return;
      waiting.splice(waiting.indexOf(next), 1);
      running.add(next);
      begun.set(next.logger, next);
      next.sliceBegan = performance.now();
      next.start();
    }
  }

  function endSlice(file: QueuedFile): void {
    running.delete(file);
    used.add(file.logger, performance.now() - file.sliceBegan);
  }

  const firstSlice = (file: QueuedFile): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(file), 1);
        reject(new WriteQueueUnavailable('Too many log files wait to be decoded.'));
      }, patienceMs);
      file.start = () => {
        clearTimeout(timer);
        resolve();
      };
      used.begin(file.logger, [...waiting, ...begun.values()]);
      waiting.push(file);
      startNext();
    });

  const giveWay = async (file: QueuedFile): Promise<void> => {
    if (performance.now() - file.sliceBegan < sliceMs) return;
    endSlice(file);
    await new Promise<void>((resolve) => {
      file.start = resolve;
      waiting.push(file);
      startNext();
    });
  };

  return {
    async run(logger, work) {
      const file: QueuedFile = { logger, start: () => {}, sliceBegan: 0 };
      await firstSlice(file);
      try {
        await work(() => giveWay(file));
      } finally {
        endSlice(file);
        begun.delete(logger);
        used.removeIdle([...waiting, ...begun.values()]);
        startNext();
      }
    },
  };
}

/** Keeps the time in ms for which each logger has used a slot; `removeIdle` deletes times of loggers without a file in the queue. */
function loggerTimes() {
  const times = new Map<string, number>();
  const timeOf = ({ logger }: { readonly logger: string }): number => times.get(logger) ?? 0;
  const leastOf = (files: readonly QueuedFile[]): number =>
    files.length === 0 ? 0 : Math.min(...files.map(timeOf));

  return {
    add(logger: string, ms: number): void {
      times.set(logger, timeOf({ logger }) + ms);
    },
    /** Adds a logger with at least the used time of the least-served logger: it gets a slot soon, but no credit for its absence. */
    begin(logger: string, others: readonly QueuedFile[]): void {
      times.set(logger, Math.max(timeOf({ logger }), leastOf(others)));
    },
    /** Returns the file whose logger has used the least time; if several have, the first of them. */
    least<File extends QueuedFile>(files: readonly File[]): File | undefined {
      return files.reduce<File | undefined>(
        (least, file) => (least === undefined || timeOf(file) < timeOf(least) ? file : least),
        undefined,
      );
    },
    /**
     * Deletes the used time of loggers without a file in the queue. A logger that used more than the least-served one keeps its
     * used time, so that a short absence does not give it an advantage.
     */
    removeIdle(files: readonly QueuedFile[]): void {
      const present = new Set(files.map(({ logger }) => logger));
      const least = leastOf(files);
      for (const [logger, ms] of times)
        if (!present.has(logger) && (files.length === 0 || ms <= least)) times.delete(logger);
    },
  };
}
