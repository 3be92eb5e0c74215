import type { Caller } from '#server/auth/sessions.ts';
import type { LiveImage } from '#server/live/live-image.ts';
import type { Database } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import type { Serve } from '#server/platform/serve.ts';

/** A database that takes longer than this to answer cannot carry the portal. */
const SLOW_MS = 2_000;

/** GET /api/health: 200 only when the database answers in time and takes writes; for load balancers and people. */
export function healthRoutes(serve: Serve<Caller>, db: Database, image: LiveImage, now: () => number): void {
  serve('GET /api/health', async () => {
    const started = performance.now();
    const writable = await withinTime(
      db
        .query<{ recovery: boolean }>('select pg_is_in_recovery() as recovery')
        .then(({ rows }) => !rows[0]?.recovery),
    );
    if (!writable) throw new ProblemError('unavailable', 'De database neemt geen gegevens aan.');
    const newest = await withinTime(image.newestReading());
    return {
      status: 'ok' as const,
      uptimeSeconds: Math.round(process.uptime()),
      database: { reachable: true as const, milliseconds: Math.round(performance.now() - started) },
      newestReadingAgeSeconds: newest === undefined ? null : Math.max(0, Math.round((now() - newest) / 1000)),
    };
  });
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
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
