import type { Caller } from '#server/auth/sessions.ts';
import type { LiveImage } from '#server/live/live-image.ts';
import type { Serve } from '#server/platform/serve.ts';
import { type Health, withinTime } from './health.ts';
import type { HealthWarnings } from './health-warnings.ts';

/** Registers GET and HEAD /api/health: 200 only if the portal can store and read data. For load balancers and people. */
export function healthRoutes(
  serve: Serve<Caller>,
  health: Health,
  warnings: HealthWarnings,
  image: LiveImage,
  now: () => number,
): void {
  const ageOf = (at: number | undefined): number | null =>
    at === undefined ? null : Math.max(0, Math.round((now() - at) / 1000));
  serve('GET /api/health', async () => {
    const { backup, ...database } = await health.check();
    const newest = await withinTime(image.newestReading());
    return {
      status: 'ok' as const,
      warnings: await warnings.read(),
      uptimeSeconds: Math.round(process.uptime()),
      database: { reachable: true as const, ...database },
      backup: { ageSeconds: ageOf(backup.verifiedAt), isFailing: backup.failure !== undefined },
      newestReadingAgeSeconds: ageOf(newest),
    };
  });
}
