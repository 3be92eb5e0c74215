import { WriteQueueUnavailable } from './write-queue.ts';

/**
 * Lets few log files be decoded and stored at a time, and one of each logger. The places go round by turns: a place
 * that comes free, or whose turn is over, goes to the logger that has had least time on one, so a long file is put
 * aside for a short one and none waits for all that another logger has sent.
 *
 * Who waits for a first turn holds its spool file and nothing else. Who waits for a next one holds no connection to the
 * database, but what it has unpacked so far (some MB at most): hence the limit on how many are under way.
 */
export type LogQueue = {
  /**
   * @param work asks `giveWay` often; it resolves at once, or when the file has its next turn
   * @throws WriteQueueUnavailable when its first turn does not come in time, and what `work` throws
   */
  run(logger: string, work: (giveWay: () => Promise<void>) => Promise<void>): Promise<void>;
};

export type LogQueueLimits = {
  /** Places. */
  readonly atOnce: number;
  /** Files that have had a turn and are not ready. */
  readonly underWay: number;
  /** A place is kept this long before another file may have it, milliseconds. */
  readonly turnMs: number;
  /** Longest wait for a first turn; a client would give up by itself, and a refusal tells it to come back. */
  readonly patienceMs: number;
};

export const LOG_TURNS: LogQueueLimits = {
  /** Each uses one connection of the pool at a time, and one core at most: the rest is for what is live. */
  atOnce: 2,
  /** A file of bombs holds 10 MB while it waits for its next turn. */
  underWay: 16,
  /** A file of a few seconds' decoding is let through in between by those that take minutes. */
  turnMs: 100,
  /** rclone waits 5 minutes for an answer. */
  patienceMs: 4 * 60_000,
};

type LogFileTurn = { readonly logger: string; start: () => void; yieldedAt: number };

export function openLogQueue({ atOnce, underWay, turnMs, patienceMs }: LogQueueLimits): LogQueue {
  /** In the order in which they came, or came back. */
  const waiting: LogFileTurn[] = [];
  const running = new Set<LogFileTurn>();
  /** Running, or waiting for a next turn; by logger. */
  const begun = new Map<string, LogFileTurn>();
  const used = loggerTimes();

  const mayStart = (file: LogFileTurn): boolean => {
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
      next.yieldedAt = performance.now();
      next.start();
    }
  }

  function endTurn(file: LogFileTurn): void {
    running.delete(file);
    used.add(file.logger, performance.now() - file.yieldedAt);
  }

  const firstTurn = (file: LogFileTurn): Promise<void> =>
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

  const giveWay = async (file: LogFileTurn): Promise<void> => {
    if (performance.now() - file.yieldedAt < turnMs) return;
    endTurn(file);
    await new Promise<void>((resolve) => {
      file.start = resolve;
      waiting.push(file);
      startNext();
    });
  };

  return {
    async run(logger, work) {
      const file: LogFileTurn = { logger, start: () => {}, yieldedAt: 0 };
      await firstTurn(file);
      try {
        await work(() => giveWay(file));
      } finally {
        endTurn(file);
        begun.delete(logger);
        used.forget([...waiting, ...begun.values()]);
        startNext();
      }
    },
  };
}

/** How long each logger has had a place, among those that want one; milliseconds. */
function loggerTimes() {
  const times = new Map<string, number>();
  const timeOf = ({ logger }: { readonly logger: string }): number => times.get(logger) ?? 0;
  const leastOf = (files: readonly LogFileTurn[]): number =>
    files.length === 0 ? 0 : Math.min(...files.map(timeOf));

  return {
    add(logger: string, ms: number): void {
      times.set(logger, timeOf({ logger }) + ms);
    },
    /** Who comes has a turn soon, but none to make up for: the time before it came was free to everybody. */
    begin(logger: string, others: readonly LogFileTurn[]): void {
      times.set(logger, Math.max(timeOf({ logger }), leastOf(others)));
    },
    /** The file whose logger has had least, the first of several. */
    least<File extends LogFileTurn>(files: readonly File[]): File | undefined {
      return files.reduce<File | undefined>(
        (least, file) => (least === undefined || timeOf(file) < timeOf(least) ? file : least),
        undefined,
      );
    },
    /** Of loggers that want no place now, only what they have had more than the others counts when they come back. */
    forget(files: readonly LogFileTurn[]): void {
      const present = new Set(files.map(({ logger }) => logger));
      const least = leastOf(files);
      for (const [logger, ms] of times)
        if (!present.has(logger) && (files.length === 0 || ms <= least)) times.delete(logger);
    },
  };
}
