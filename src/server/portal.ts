import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openPasswordResets, type PasswordResets } from '#server/auth/password-resets.ts';
import { openSessions, type Sessions } from '#server/auth/sessions.ts';
import { openChargingMails } from '#server/charging/charging-mails.ts';
import { type ChargingWatch, startChargingWatch } from '#server/charging/charging-watch.ts';
import { type Door, openDoor } from '#server/door/door.ts';
import { type Health, openHealth } from '#server/health/health.ts';
import { type LiveImage, openLiveImage } from '#server/live/live-image.ts';
import { purgeDeleted } from '#server/machines/purge.ts';
import { type Mail, openMail } from '#server/mail/mail.ts';
import { openMailTransport } from '#server/mail/mail-transport.ts';
import { type Changes, watchChanges } from '#server/platform/changes.ts';
import { impatient, type Pool } from '#server/platform/database.ts';
import { openJobs } from '#server/platform/jobs.ts';
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
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly now: () => number;
  readonly changes: Changes;
  readonly sessions: Sessions;
  readonly mail: Mail;
  readonly resets: PasswordResets;
  readonly charging: ChargingWatch;
  readonly image: LiveImage;
  readonly counters: Counters;
  readonly health: Health;
  readonly door: Door;
  readonly tiles: Tiles;
  /** Stores what was taken, then lets go of everything but the pool. */
  close(): Promise<void>;
};

/** Reads and small writes that many wait for: one dead connection may not hold them up for long. */
const NO_ANSWER_MS = 5_000;

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
  const db = impatient(pool, NO_ANSWER_MS);
  const changes = watchChanges(db, connection, warn);
  const directory = openDirectory(db, secrets, changes);
  const funnel = openFunnel(pool);
  const counters = openCounters(db, warn);
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
    spoolDirectory: join(config.DATA_DIR, 'spool'),
    kindOf,
  });
  const jobs = await openJobs(pool, warn);
  const mail = await openMail(jobs, openMailTransport(config), warn);
  const charging = startChargingWatch({
    pool,
    mails: await openChargingMails(db, jobs, mail, secrets, config.PUBLIC_URL),
    warn,
    now,
  });
  const upkeep = startUpkeep(pool, warn, () => purgeDeleted(pool, new Date(now()), config.DELETED_DAYS));
  return {
    config,
    pool,
    secrets,
    log,
    now,
    changes,
    sessions: openSessions(db, changes),
    mail,
    resets: await openPasswordResets(pool, jobs, mail, config.PUBLIC_URL),
    charging,
    image: openLiveImage(db, changes, now),
    counters,
    health: openHealth(db, funnel.health),
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
      await charging.close();
      await jobs.close();
      await changes.close();
    },
  };
}
