import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openSessions } from '#server/auth/sessions.ts';
import { openMailer } from '#server/mail/mail.ts';
import { countingMailTransport } from '#server/mail/mail-tally.ts';
import { openMailTransport } from '#server/mail/mail-transport.ts';
import { watchDatabaseChanges } from '#server/platform/changes.ts';
import { withTimeLimit } from '#server/platform/database.ts';
import { openJobs } from '#server/platform/jobs.ts';
import type { Module, ServiceOpener, WithPeriodicTasks } from '#server/platform/module.ts';
import type { ConnectionPools } from '#server/platform/pools.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { cameOverHttps } from '#server/platform/visitor-address.ts';
import { rateLimitedWarnings } from '#server/platform/warn.ts';
import { readScope } from '#server/projects/limited-scope.ts';
import { openPushSender } from '#server/push/push.ts';
import { openReportThread } from '#server/reports/report-thread.ts';
import { openUploadEndpoint } from '#server/s3/upload-endpoint.ts';
import { openCounters } from '#server/telemetry/counters.ts';
import { openPartitions } from '#server/telemetry/partitions.ts';
import { newUploadTally, withUploadTally } from '#server/telemetry/upload-tally.ts';
import { openWriteQueue } from '#server/telemetry/write-queue.ts';
import { logQuotasFromSettings } from '#server/writers/log-quotas.ts';
import type { Config } from './config.ts';
import { MODULES, type ModuleServices } from './modules.ts';
import { type OutboundClients, openOutboundClients } from './outbound-ways.ts';
import { LOG_QUEUE_LIMITS, openLogQueue } from './telemetry/log-queue.ts';
import { openLoggerDirectory } from './telemetry/logger-directory.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { deliveryKindOf, openUploadBackend, secretsBlankerOf } from './telemetry/upload-backend.ts';
import { startUpkeep } from './upkeep.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

/** The parts of a running portal: shared ones, and the services of its modules. Routes get the parts that they need as arguments. */
export type Portal = Awaited<ReturnType<typeof openPortal>>;

/** Timeout of database reads and small writes on which many callers wait, so that one dead connection does not delay them all. */
const NO_ANSWER_MS = 5_000;

/** Maximum number of snapshot files of loggers for which the portal remembers the last clock values. */
const MAX_CLOCKS = 50_000;

/**
 * Opens the portal.
 * @param connection the settings with which the listener for notifications and the worker threads open their own connections
 */
export async function openPortal(
  config: Config,
  pools: ConnectionPools,
  connection: pg.ClientConfig,
  secrets: Secrets,
  log: Logger,
  now: () => number = Date.now,
  outbound: OutboundClients = openOutboundClients(config),
) {
  const warn = rateLimitedWarnings(log, () => performance.now());
  const { pages, ingest } = pools;
  const db = withTimeLimit(pages, NO_ANSWER_MS);
  const ingestDb = withTimeLimit(ingest, NO_ANSWER_MS);
  // Reads the change counter through the pool of uploads, because uploads need the counter too. They can use only a part of the pool, so
  // a connection is always left for this query.
  const changes = watchDatabaseChanges(ingestDb, connection, warn);
  const directory = openLoggerDirectory(ingestDb, secrets, changes);
  const quotas = logQuotasFromSettings(config);
  const uploadTally = newUploadTally();
  const mailTally = { sent: 0, refused: 0, failed: 0 };
  const writeQueue = openWriteQueue(ingest);
  const counters = withUploadTally(openCounters(ingestDb, warn), uploadTally);
  const partitions = openPartitions(ingest, now, warn);
  const logs = openLogQueue(LOG_QUEUE_LIMITS);
  const telemetry: Telemetry = {
    pool: ingest,
    directory,
    writeQueue,
    counters,
    partitions,
    logs,
    clocks: new LRUCache({ max: MAX_CLOCKS }),
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
      kindOf: deliveryKindOf,
      cleanerOf: secretsBlankerOf,
      trustProxy: config.TRUST_PROXY,
      cameOverHttps: (request) => cameOverHttps(request, config.TRUST_PROXY),
      publicUrl: config.PUBLIC_URL,
    },
  );
  const jobs = await openJobs(pages, warn);
  const mail = await openMailer(jobs, countingMailTransport(openMailTransport(config), mailTally), warn);
  const push = await openPushSender({
    db,
    secrets,
    outbound: outbound.push,
    publicUrl: config.PUBLIC_URL,
    warn,
    now,
  });
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
  const reportThread = openReportThread(connection, warn);
  const webhooks = openWebhooks({ pool: pages, outbound: outbound.webhooks, secrets, warn, now });
  const shared = {
    config,
    publicUrl: config.PUBLIC_URL,
    dataDir: config.DATA_DIR,
    hasMailServer,
    pools,
    pool: pages,
    db,
    secrets,
    quotas,
    log,
    warn,
    now,
    changes,
    sessions,
    jobs,
    mail,
    push,
    reportThread,
    webhooks,
    counters,
    telemetry,
    uploadTally,
    mailTally,
    /** Folder where incoming log files are received. */
    spoolDirectory,
    endpoint,
    outbound,
  };
  type Shared = typeof shared;
  const modules: readonly (Module<never, never> &
    Partial<ServiceOpener<Shared, object> & WithPeriodicTasks<Shared>>)[] = MODULES;
  const opened: object[] = [];
  for (const { open } of modules) opened.push((await open?.(shared)) ?? {});
  const services: ModuleServices = Object.assign({}, ...opened);
  const tasks = modules.flatMap(({ periodicWith }) => periodicWith?.(shared) ?? []);
  const upkeep = startUpkeep(pools, connection, warn, now, config.DELETED_DAYS, config.LOG_DAYS, tasks);
  return {
    ...shared,
    ...services,
    upkeep,
    /** Stores accepted data, then releases everything except the pools. */
    async close() {
      await writeQueue.close();
      await sessions.close();
      await counters.close();
      await upkeep.close();
      for (const service of Object.values(services).reverse()) if ('close' in service) await service.close();
      await webhooks.close();
      await jobs.close();
      await reportThread.close();
      await changes.close();
    },
  };
}
