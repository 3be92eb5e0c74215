import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Alerts, startAlerts } from '#server/alerts/alerts.ts';
import { type AddressConfirmation, openAddressConfirmation } from '#server/auth/address-confirmation.ts';
import { openPasswordResets, type PasswordResets } from '#server/auth/password-resets.ts';
import { openSessions, type Sessions } from '#server/auth/sessions.ts';
import { type Health, openHealth } from '#server/health/health.ts';
import { type HealthWarnings, openHealthWarnings } from '#server/health/health-warnings.ts';
import { type InvitationMails, openInvitationMails } from '#server/invitations/invitation-mails.ts';
import { type LiveImage, openLiveImage } from '#server/live/live-image.ts';
import { type Mail, openMail } from '#server/mail/mail.ts';
import { openMailTransport } from '#server/mail/mail-transport.ts';
import { type Metrics, openMetrics } from '#server/metrics/metrics.ts';
import { newTallies, tallyCounters, tallyMails } from '#server/metrics/tallies.ts';
import { openTraffic } from '#server/metrics/traffic.ts';
import { type OidcClient, openOidcClient } from '#server/oidc/oidc-client.ts';
import { type Changes, watchChanges } from '#server/platform/changes.ts';
import { withTimeLimit } from '#server/platform/database.ts';
import { freeSpace } from '#server/platform/free-space.ts';
import { openJobs } from '#server/platform/jobs.ts';
import type { Pools } from '#server/platform/pools.ts';
import { openRefusals, type Refusals } from '#server/platform/refusals.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { cameOverHttps } from '#server/platform/visitor-address.ts';
import { rateLimitedWarnings } from '#server/platform/warn.ts';
import { readScope } from '#server/projects/limited-scope.ts';
import { openPush, type Push } from '#server/push/push.ts';
import { type ReportMails, startReportMails } from '#server/report-mails/report-mails.ts';
import { openReportThread, type ReportThread } from '#server/reports/report-thread.ts';
import { openUploadEndpoint, type UploadEndpoint } from '#server/s3/upload-endpoint.ts';
import { type Counters, openCounters } from '#server/telemetry/counters.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { openWriteQueue } from '#server/telemetry/write-queue.ts';
import { tileUserAgent } from '#server/tiles/tile-fetch.ts';
import { createTiles, type Tiles } from '#server/tiles/tiles.ts';
import { type LogQuotas, logQuotas } from '#server/writers/log-quotas.ts';
import type { Config } from './config.ts';
import { type DayComputation, startDayComputation } from './day-figures/day-computation.ts';
import { openRecomputations, type Recomputations } from './day-figures/recomputations.ts';
import { mailQuotas } from './log-quota-mails.ts';
import { type OutboundWays, openOutboundWays } from './outbound-ways.ts';
import { type Erasures, openErasures } from './redecoding/erasures.ts';
import { openRedecodings, type Redecodings } from './redecoding/redecoding.ts';
import { LOG_QUEUE_LIMITS, openLogQueue } from './telemetry/log-queue.ts';
import { openDirectory } from './telemetry/logger-directory.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { cleanerOf, kindOf, openUploadBackend } from './telemetry/upload-backend.ts';
import { startUpkeep, type Upkeep } from './upkeep.ts';
import { VERSION } from './version.ts';
import { openWebhooks, type Webhooks } from './webhooks/webhooks.ts';

/** The parts of a running portal; what routes need is passed to them as arguments. */
export type Portal = {
  readonly config: Config;
  readonly pools: Pools;
  readonly secrets: Secrets;
  readonly quotas: LogQuotas;
  readonly log: Logger;
  readonly now: () => number;
  readonly changes: Changes;
  readonly sessions: Sessions;
  readonly mail: Mail;
  readonly resets: PasswordResets;
  readonly confirmation: AddressConfirmation;
  readonly invitationMails: InvitationMails;
  readonly refusals: Refusals;
  readonly push: Push;
  readonly reportThread: ReportThread;
  readonly reportMails: ReportMails;
  readonly webhooks: Webhooks;
  readonly alerts: Alerts;
  readonly redecodings: Redecodings;
  readonly erasures: Erasures;
  readonly recomputations: Recomputations;
  readonly upkeep: Upkeep;
  readonly dayComputation: DayComputation;
  readonly image: LiveImage;
  readonly counters: Counters;
  readonly telemetry: Telemetry;
  /** Folder where incoming log files are received. */
  readonly spoolDirectory: string;
  readonly health: Health;
  readonly healthWarnings: HealthWarnings;
  readonly endpoint: UploadEndpoint;
  readonly tiles: Tiles;
  readonly outbound: OutboundWays;
  readonly oidc: OidcClient;
  readonly metrics: Metrics;
  /** Stores accepted data, then releases everything except the pools. */
  close(): Promise<void>;
};

/** Timeout for reads and small writes of many callers, so that one dead connection does not block them long. */
const NO_ANSWER_MS = 5_000;

/** Maximum number of logger files whose last clocks are kept. */
const MOST_CLOCKS = 50_000;

/** Opens the portal. @param connection for the notifications and the threads, which have their own connections */
export async function openPortal(
  config: Config,
  pools: Pools,
  connection: pg.ClientConfig,
  secrets: Secrets,
  log: Logger,
  now: () => number = Date.now,
  outbound: OutboundWays = openOutboundWays(config),
): Promise<Portal> {
  const warn = rateLimitedWarnings(log, () => performance.now());
  const { pages, ingest } = pools;
  const db = withTimeLimit(pages, NO_ANSWER_MS);
  const ingestDb = withTimeLimit(ingest, NO_ANSWER_MS);
  // Uses the pool of uploads, which read changes too. What uploads use of it is limited, so that a connection is always left.
  const changes = watchChanges(ingestDb, connection, warn);
  const directory = openDirectory(ingestDb, secrets, changes);
  const quotas = logQuotas(config);
  const tallies = newTallies();
  const writeQueue = openWriteQueue(ingest);
  const counters = tallyCounters(openCounters(ingestDb, warn), tallies);
  const partitions = openPartitions(ingest, now, warn);
  const logs = openLogQueue(LOG_QUEUE_LIMITS);
  const telemetry: Telemetry = {
    pool: ingest,
    directory,
    writeQueue,
    counters,
    partitions,
    logs,
    clocks: new LRUCache({ max: MOST_CLOCKS }),
    quotas,
    now,
    log,
    warn,
  };
  const spoolDirectory = join(config.DATA_DIR, 'spool');
  const endpoint = await openUploadEndpoint(
    openUploadBackend(telemetry, config.UPLOAD_BUCKET, config.PUBLIC_URL),
    {
      spoolDirectory,
      kindOf,
      cleanerOf,
      trustProxy: config.TRUST_PROXY,
      cameOverHttps: (request) => cameOverHttps(request, config.TRUST_PROXY),
      publicUrl: config.PUBLIC_URL,
    },
  );
  const jobs = await openJobs(pages, warn);
  const mail = await openMail(jobs, tallyMails(openMailTransport(config), tallies), warn);
  const push = await openPush({
    db,
    secrets,
    outbound: outbound.push,
    publicUrl: config.PUBLIC_URL,
    warn,
    now,
  });
  const reportThread = openReportThread(connection, warn);
  const reportMails = await startReportMails({
    pool: pages,
    jobs,
    mail,
    files: reportThread,
    secrets,
    publicUrl: config.PUBLIC_URL,
    warn,
    now,
  });
  const webhooks = openWebhooks({ pool: pages, outbound: outbound.webhooks, secrets, warn, now });
  const alerts = await startAlerts({
    pool: pages,
    db,
    jobs,
    mail,
    push,
    webhooks,
    secrets,
    publicUrl: config.PUBLIC_URL,
    dataDir: config.DATA_DIR,
    warn,
    now,
  });
  const redecodings = await openRedecodings({ pool: pages, jobs, logs, directory, partitions, now, warn });
  const erasures = await openErasures({ pool: pages, jobs, now });
  const upkeep = startUpkeep(pools, connection, warn, now, config.DELETED_DAYS, config.LOG_DAYS, quotas, () =>
    mailQuotas(pages, mail, quotas, config.PUBLIC_URL, now()),
  );
  const dayComputation = startDayComputation(pages, warn, now);
  const recomputations = openRecomputations(pages, warn);
  const hasMailServer = config.SMTP_URL !== undefined;
  const sessions = openSessions(
    db,
    pages,
    changes,
    config.REQUIRE_SECOND_FACTOR,
    hasMailServer,
    warn,
    (from, principal) => readScope(from, principal, now()),
  );
  const refusals = openRefusals(db, secrets.key('refused accounts'), warn);
  const image = openLiveImage(db, changes, now);
  const space = () => freeSpace(config.DATA_DIR);
  return {
    config,
    pools,
    secrets,
    quotas,
    log,
    now,
    changes,
    sessions,
    mail,
    resets: await openPasswordResets(pages, jobs, mail, config.PUBLIC_URL),
    confirmation: await openAddressConfirmation(
      pages,
      jobs,
      mail,
      secrets,
      config.PUBLIC_URL,
      now,
      hasMailServer,
    ),
    invitationMails: await openInvitationMails(pages, jobs, mail, config.PUBLIC_URL, hasMailServer),
    refusals,
    push,
    reportThread,
    reportMails,
    webhooks,
    alerts,
    redecodings,
    erasures,
    recomputations,
    upkeep,
    dayComputation,
    image,
    counters,
    telemetry,
    spoolDirectory,
    health: openHealth(db, writeQueue.health, spoolDirectory),
    healthWarnings: openHealthWarnings({
      db,
      space,
      uploads: writeQueue.health,
      isBackedUp: config.BACKUP_DIR !== undefined,
      now,
    }),
    endpoint,
    metrics: openMetrics({
      version: VERSION,
      pools,
      traffic: openTraffic(),
      tallies,
      uploads: writeQueue.health,
      sessions: sessions.cachedCount,
      liveAge: image.age,
      quotas,
      space,
      now,
    }),
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
    outbound,
    oidc: openOidcClient(outbound.oidc, now),
    async close() {
      await writeQueue.close();
      await sessions.close();
      await counters.close();
      await upkeep.close();
      await recomputations.close();
      await dayComputation.close();
      await reportMails.close();
      await alerts.close();
      await webhooks.close();
      await refusals.close();
      redecodings.close();
      erasures.close();
      await jobs.close();
      await reportThread.close();
      await changes.close();
    },
  };
}
