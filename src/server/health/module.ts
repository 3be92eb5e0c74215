import type { Caller } from '#server/auth/sessions.ts';
import { readBackupState } from '#server/backup/backup-made.store.ts';
import type { Config } from '#server/config.ts';
import type { LiveDataCache } from '#server/live/live-data-cache.ts';
import type { Pool } from '#server/platform/database.ts';
import { freeSpace } from '#server/platform/free-space.ts';
import { singleGauge, storedMetrics } from '#server/platform/metric.ts';
import type { Module, ServiceOpener, SharedServices } from '#server/platform/module.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import { readRefusedHost } from '#server/writers/upload-state.store.ts';
import type { PortalTask } from '#shared/domain/portal-tasks.ts';
import { type Health, openHealth, withHealthCheckTimeout } from './health.ts';
import { type HealthWarnings, openHealthWarnings } from './health-warnings.ts';

type HealthParts = {
  readonly health: Health;
  readonly healthWarnings: HealthWarnings;
  readonly image: LiveDataCache;
  readonly pool: Pool;
  readonly publicUrl: string;
  readonly portalTasks: () => Promise<readonly PortalTask[]>;
  readonly now: () => number;
};

type Opening = SharedServices & {
  readonly config: Config;
  readonly telemetry: Telemetry;
  readonly spoolDirectory: string;
};

/**
 * Serves GET and HEAD /api/health, for load balancers and people: 200 only if the portal can store and read data. Also serves the
 * settings that administrators still have to make.
 */
export const health: Module<Caller, HealthParts> &
  ServiceOpener<Opening, Pick<HealthParts, 'health' | 'healthWarnings'>> = {
  open: ({ db, config, telemetry, spoolDirectory, now }) => ({
    health: openHealth(db, telemetry.writeQueue.health, spoolDirectory),
    healthWarnings: openHealthWarnings({
      db,
      space: () => freeSpace(config.DATA_DIR),
      uploads: telemetry.writeQueue.health,
      isBackedUp: config.BACKUP_DIR !== undefined,
      now,
    }),
  }),
  topics: {
    health: { title: 'Gezondheid', about: 'Of het portaal werkt, en hoe: voor bewaking en load balancers.' },
    portal: { title: 'Portaal', about: 'Wat er aan het portaal zelf te doen is, voor administrators.' },
  },
  routes: (serve, { health, healthWarnings, image, pool, publicUrl, portalTasks, now }) => {
    const ageOf = (at: number | undefined): number | null =>
      at === undefined ? null : Math.max(0, Math.round((now() - at) / 1000));
    serve('GET /api/health', async () => {
      const { backup, ...database } = await health.check();
      const newest = await withHealthCheckTimeout(image.newestReading());
      return {
        status: 'ok' as const,
        warnings: await healthWarnings.read(),
        uptimeSeconds: Math.round(process.uptime()),
        database: { reachable: true as const, ...database },
        backup: { ageSeconds: ageOf(backup.verifiedAt), isFailing: backup.failure !== undefined },
        newestReadingAgeSeconds: ageOf(newest),
      };
    });

    serve('GET /api/portal/tasks', async () => {
      const received = await readRefusedHost(pool);
      return {
        settings: [...(await portalTasks())],
        host: received === undefined ? null : { received, expected: new URL(publicUrl).host },
      };
    });
  },
  metrics: ({ now }) => ({
    stored: [
      storedMetrics(readBackupState, [
        singleGauge(
          'backup_age_seconds',
          'Age of the newest backup that was read back; absent while there is none.',
          ({ verifiedAt }) => verifiedAt && Math.max(0, (now() - verifiedAt) / 1000),
        ),
      ]),
    ],
  }),
};
