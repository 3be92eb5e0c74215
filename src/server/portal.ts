import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openSessions, type Sessions } from '#server/auth/sessions.ts';
import { type Door, openDoor } from '#server/door/door.ts';
import { type LiveImage, openLiveImage } from '#server/live/live-image.ts';
import { type Changes, watchChanges } from '#server/platform/changes.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { sparingWarnings } from '#server/platform/warn.ts';
import { type Counters, openCounters } from '#server/telemetry/counters.ts';
import { kindOf } from '#server/telemetry/delivery-kind.ts';
import { openDirectory } from '#server/telemetry/directory.ts';
import { openDoorWorld } from '#server/telemetry/door-world.ts';
import { openFunnel } from '#server/telemetry/funnel.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { tileUserAgent } from '#server/tiles/tile-source.ts';
import { createTiles, type Tiles } from '#server/tiles/tiles.ts';
import type { Config } from './config.ts';
import { startUpkeep } from './upkeep.ts';

/** The parts of a running portal; what routes need is passed to them as arguments. */
export type Portal = {
  readonly config: Config;
  readonly pool: Pool;
  readonly log: Logger;
  readonly now: () => number;
  readonly changes: Changes;
  readonly sessions: Sessions;
  readonly image: LiveImage;
  readonly counters: Counters;
  readonly door: Door;
  readonly tiles: Tiles;
  /** Stores what was taken, then lets go of everything but the pool. */
  close(): Promise<void>;
};

export const VERSION = '0.1.0';

/** @param connection for the notifications, which need a connection of their own beside the pool */
export async function openPortal(
  config: Config,
  pool: Pool,
  connection: pg.ClientConfig,
  secrets: Secrets,
  log: Logger,
  now: () => number = Date.now,
): Promise<Portal> {
  const warn = sparingWarnings(log, Date.now);
  const changes = watchChanges(pool, connection, warn);
  const directory = openDirectory(pool, secrets, changes);
  const funnel = openFunnel(pool);
  const counters = openCounters(pool, warn);
  const partitions = openPartitions(pool, now);
  const world = openDoorWorld({
    bucket: config.UPLOAD_BUCKET,
    pool,
    directory,
    funnel,
    counters,
    partitions,
    now,
    log,
    warn,
  });
  const door = await openDoor(world, {
    spoolDirectory: join(config.DATA_DIR, 'spool', String(process.pid)),
    kindOf,
  });
  const upkeep = startUpkeep(pool, warn);
  return {
    config,
    pool,
    log,
    now,
    changes,
    sessions: openSessions(pool, changes),
    image: openLiveImage(pool, changes, now),
    counters,
    door,
    tiles: createTiles({
      sources: {
        street: { urlTemplate: config.STREET_TILES_URL, attribution: config.STREET_TILES_ATTRIBUTION },
        satellite: {
          urlTemplate: config.SATELLITE_TILES_URL,
          attribution: config.SATELLITE_TILES_ATTRIBUTION,
        },
      },
      userAgent: tileUserAgent(VERSION, config.PUBLIC_URL),
    }),
    async close() {
      await funnel.close();
      await counters.close();
      await upkeep.close();
      await changes.close();
    },
  };
}
