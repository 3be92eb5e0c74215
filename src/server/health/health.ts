import { type BackupState, readBackupState } from '#server/backup/backup-made.store.ts';
import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { inShards, shardCount } from '#server/platform/shards.ts';
import { openSpoolFile } from '#server/s3/spool.ts';
import type { WriteQueueHealth } from '#server/telemetry/write-queue.ts';

/** Whether the portal can really serve. Cheap to ask: the database is asked five times a second at most. */
export type Health = {
  /**
   * How long the database took for a write, ms; of several shards, those whose machine is away; what is known of backups.
   * @throws ProblemError 503, a sentence for people
   */
  check(): Promise<{
    readonly milliseconds: number;
    readonly cellsAway?: string[];
    readonly backup: BackupState;
  }>;
};

/** A database that takes longer than this to answer cannot carry the portal. */
const SLOW_MS = 2_000;
/** An upload that waits longer than this for its commit: loggers give up. */
const UPLOADS_WAIT_MS = 5_000;
/** Refused uploads are remembered so long; loggers repeat theirs every few seconds. */
const REMEMBER_FAILURE_MS = 30_000;
const KEEP_MS = 200;
/** Each look asks every shard. */
const CELLS_KEEP_MS = 2_000;
/** What a disk must still take for log files. */
const SPOOL_SAMPLE = Buffer.alloc(1024 * 1024);

/**
 * @param uploads health of the write queue, which fails first on a full disk, when a tiny write still succeeds
 * @param spoolDirectory folder of log files that are being received
 * @param now ms, of a clock that is never set
 */
export function openHealth(
  db: Database,
  uploads: () => WriteQueueHealth,
  spoolDirectory: string,
  now: () => number = () => performance.now(),
): Health {
  let known: { readonly at: number; readonly checked: ReturnType<Health['check']> } | undefined;
  let shards: { readonly at: number; readonly away: Promise<string[]> } | undefined;

  async function write(): Promise<number> {
    const began = performance.now();
    await withinTime(db.query('update health set written_at = now()')).catch((error: Error) => {
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('unavailable', 'De database neemt geen gegevens aan.');
    });
    return Math.round(performance.now() - began);
  }

  function cellsAway(): Promise<string[]> {
    if (shards && now() - shards.at < CELLS_KEEP_MS) return shards.away;
    const away = new Set<string>();
    // Whoever was not heard of in time is away, too.
    const asked = inShards(
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
      away: withinTime(asked).then(
        () => [...away].sort(),
        () => [...away].sort(),
      ),
    };
    return shards.away;
  }

  async function look() {
    const [milliseconds] = await Promise.all([write(), trySpool(spoolDirectory)]);
    const backup = await withinTime(readBackupState(db));
    const known = { milliseconds, backup };
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
        const checked = look();
        // Whoever asks next gets the failure too; nobody needs to ask.
        checked.catch(() => {});
        known = { at: now(), checked };
      }
      return known.checked;
    },
  };
}

/** @throws ProblemError 503 when the disk takes no log file (full …) */
async function trySpool(directory: string): Promise<void> {
  try {
    const file = await openSpoolFile(directory);
    file.write(SPOOL_SAMPLE);
    await file.flush().finally(() => file.remove());
  } catch {
    throw new ProblemError('unavailable', 'De schijf van het portaal neemt geen logbestanden aan.');
  }
}

/** @throws ProblemError 503 when `work` takes longer than 2 s */
export async function withinTime<T>(work: Promise<T>): Promise<T> {
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
