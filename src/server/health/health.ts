import { type BackupState, readBackupState } from '#server/backup/backup-made.store.ts';
import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { runInAllShards, shardCount } from '#server/platform/shards.ts';
import { openSpoolFile } from '#server/s3/spool.ts';
import { countOpenWeeks } from '#server/telemetry/readings/close-weeks.ts';
import { firstOpenWeek } from '#server/telemetry/readings/weeks.ts';
import type { WriteQueueHealth } from '#server/telemetry/write-queue.ts';

/** Checks whether the portal can serve. A check is cheap: it queries the database at most five times a second. */
export type Health = {
  /**
   * Returns the time of a write in ms, the shards that do not answer, the number of weeks to close and the state of the backups.
   * @throws ProblemError 503 with a Dutch sentence
   */
  check(): Promise<{
    readonly milliseconds: number;
    readonly cellsAway?: string[];
    readonly weeksToClose?: number;
    readonly backup: BackupState;
  }>;
};

/** A database that takes longer than this to answer cannot carry the portal. */
const SLOW_MS = 2_000;
/** Time after which loggers give up an upload that waits for its commit. */
const UPLOADS_WAIT_MS = 5_000;
/** After a failed commit of uploads, the check fails for this long; loggers repeat a refused upload every few seconds. */
const REMEMBER_FAILURE_MS = 30_000;
const KEEP_MS = 200;
/** The state of the shards is cached for this long, since it takes a query to each of them. */
const SHARDS_KEEP_MS = 2_000;
const WEEKS_KEEP_MS = 60_000;
/** The disk must have room for a file of this size. */
const SPOOL_SAMPLE = Buffer.alloc(1024 * 1024);

/**
 * Opens the health check.
 * @param uploads health of the write queue, which fails first on a full disk, when a tiny write still succeeds
 * @param spoolDirectory folder of log files that are being received
 * @param now returns ms of a monotonic clock
 */
export function openHealth(
  db: Database,
  uploads: () => WriteQueueHealth,
  spoolDirectory: string,
  now: () => number = () => performance.now(),
): Health {
  let known: { readonly at: number; readonly checked: ReturnType<Health['check']> } | undefined;
  let weeks: { readonly at: number; readonly open: Promise<number | undefined> } | undefined;
  let shards: { readonly at: number; readonly away: Promise<string[]> } | undefined;

  async function write(): Promise<number> {
    const began = performance.now();
    await withHealthCheckTimeout(db.query('update health set written_at = now()')).catch((error: Error) => {
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('unavailable', 'De database neemt geen gegevens aan.');
    });
    return Math.round(performance.now() - began);
  }

  function cellsAway(): Promise<string[]> {
    if (shards && now() - shards.at < SHARDS_KEEP_MS) return shards.away;
    const away = new Set<string>();
    // A shard that does not answer in time counts as unreachable.
    const asked = runInAllShards(
      db,
      async (shard) => {
        away.add(shard.name);
        const answer = await shard.query('select from telemetry.latest limit 1');
        away.delete(shard.name);
        return answer;
      },
      () => {},
    );
    shards = {
      at: now(),
      away: withHealthCheckTimeout(asked).then(
        () => [...away].sort(),
        () => [...away].sort(),
      ),
    };
    return shards.away;
  }

  function weeksToClose(): Promise<number | undefined> {
    if (!weeks || now() - weeks.at >= WEEKS_KEEP_MS)
      weeks = {
        at: now(),
        open: withHealthCheckTimeout(countOpenWeeks(db, firstOpenWeek(Date.now()))).catch(() => undefined),
      };
    return weeks.open;
  }

  async function checkNow() {
    const [milliseconds] = await Promise.all([write(), trySpool(spoolDirectory)]);
    const backup = await withHealthCheckTimeout(readBackupState(db));
    const open = await weeksToClose();
    const known = { milliseconds, backup, ...(open !== undefined && { weeksToClose: open }) };
    return shardCount() > 1 ? { ...known, cellsAway: await cellsAway() } : known;
  }

  return {
    async check() {
      const { waitingMs, failedMs } = uploads();
      if (waitingMs > UPLOADS_WAIT_MS) {
        throw new ProblemError('unavailable', 'Uploads van loggers wachten te lang op de database.');
      }
      if (failedMs !== undefined && failedMs < REMEMBER_FAILURE_MS) {
        throw new ProblemError('unavailable', 'De database neemt geen metingen van loggers aan.');
      }
      if (!known || now() - known.at >= KEEP_MS) {
        const checked = checkNow();
        // The next caller awaits this promise and gets the error. If there is no next caller, the error must not end the process.
        checked.catch(() => {});
        known = { at: now(), checked };
      }
      return known.checked;
    },
  };
}

/** Writes a sample file to the spool folder. @throws ProblemError 503 when the disk refuses a log file, for example if it is full */
async function trySpool(directory: string): Promise<void> {
  try {
    const file = await openSpoolFile(directory);
    file.write(SPOOL_SAMPLE);
    await file.flush().finally(() => file.remove());
  } catch {
    throw new ProblemError('unavailable', 'De schijf van het portaal neemt geen logbestanden aan.');
  }
}

/** Returns the result of `work`. @throws ProblemError 503 when `work` takes longer than 2 s */
export async function withHealthCheckTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ProblemError('unavailable', 'De database antwoordt niet op tijd.')),
      SLOW_MS,
    );
  });
  try {
    return await Promise.race([work, tooSlow]);
  } finally {
    clearTimeout(timer);
  }
}
