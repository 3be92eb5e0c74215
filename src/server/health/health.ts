import { openSpoolFile } from '#server/door/spool.ts';
import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import type { FunnelHealth } from '#server/telemetry/funnel.ts';

/** Whether the portal can really serve. Cheap to ask: the database is asked five times a second at most. */
export type Health = {
  /** How long the database took for a write, ms. @throws ProblemError 503, a sentence for people */
  check(): Promise<number>;
};

/** A database that takes longer than this to answer cannot carry the portal. */
const SLOW_MS = 2_000;
/** An upload that waits longer than this for its commit: loggers give up. */
const UPLOADS_WAIT_MS = 5_000;
/** Refused uploads are remembered so long; loggers repeat theirs every few seconds. */
const REMEMBER_FAILURE_MS = 30_000;
const KEEP_MS = 200;
/** What a disk must still take for log files. */
const SPOOL_SAMPLE = Buffer.alloc(1024 * 1024);

/**
 * @param uploads what the funnel tells: a full disk shows there first, where a tiny write still fits
 * @param spoolDirectory where log files are kept while they come in
 * @param now ms, of a clock that is never set
 */
export function openHealth(
  db: Database,
  uploads: () => FunnelHealth,
  spoolDirectory: string,
  now: () => number = () => performance.now(),
): Health {
  let known: { readonly at: number; readonly milliseconds: Promise<number> } | undefined;

  async function write(): Promise<number> {
    const began = performance.now();
    await withinTime(db.query('update health set written_at = now()')).catch((error: Error) => {
      if (error instanceof ProblemError) throw error;
      throw new ProblemError('unavailable', 'De database neemt geen gegevens aan.');
    });
    return Math.round(performance.now() - began);
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
        const milliseconds = Promise.all([write(), trySpool(spoolDirectory)]).then(([took]) => took);
        // Whoever asks next gets the failure too; nobody needs to ask.
        milliseconds.catch(() => {});
        known = { at: now(), milliseconds };
      }
      return known.milliseconds;
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
