import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { logFileKey } from './can-log.ts';
import type { SignalsAt } from './machine-model.ts';
import type { OutageLog } from './outage-log.ts';
import { type UploadQueue, uploadQueue } from './upload-queue.ts';

/** Simulates a ReXgen, which uploads snapshots, Status.json and log files over S3 (docs/design.md section 7). */

export type LoggerClientOptions = {
  /** Address of the portal, for example `http://127.0.0.1:3000`. */
  readonly portal: string;
  readonly bucket: string;
  /** Serial number of a ReXgen: seven digits. */
  readonly loggerSerial: string;
  readonly accessKey: string;
  readonly secret: string;
  /** GUID of the configuration that the logger runs. */
  readonly configGuid: string;
  readonly signalsAt: SignalsAt;
  /** Undefined if the logger records no log files. */
  readonly log?: HourlyLog | undefined;
  /** Time in ms since 1970 of the last readings that a silent logger delivers. */
  readonly silentSince?: number;
  readonly outages: OutageLog;
  /** HTTP agents that all loggers share, so that not every logger holds connections. */
  readonly agents: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent };
  /** Returns the time in ms since 1970. */
  readonly now: () => number;
  /** Time between snapshots. */
  readonly snapshotEveryMs: number;
  readonly statusEveryMs: number;
};

export type HourlyLog = {
  /** Time past the full hour at which a file ends and the next one begins. */
  readonly offsetMs: number;
  /** Returns the file of a period in ms since 1970. */
  readonly fileOf: (from: number, to: number) => Uint8Array;
};

export type LoggerClient = { readonly stop: () => Promise<void> };

const CONFIG_NAME = 'WS';
/** Maximum number of snapshots that wait for their upload: half an hour at one per 5 s. */
const BACKLOG_FILES = 360;
const UPLOAD_TIMEOUT_MS = 20_000;
/**
 * Maximum number of hourly log files that wait for their upload; if the computer of the simulator sleeps longer, the log files have a
 * gap. The SD cards of real loggers hold more.
 */
const BACKLOG_LOGS = 48;
/** Time limit for uploading a log file. The portal responds after it has decoded the file, which may have to wait for other files. */
const LOG_TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;
const STOP_GRACE_MS = 1_000;
const LAST_READINGS = 11;

/** Returns the snapshot file at an instant in ms: one flat object of numbers, times in seconds. */
export function snapshotBody(signalsAt: SignalsAt, timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000);
  return JSON.stringify({ RTC_UNIX: seconds, GMT_UNIX: seconds, ...signalsAt(seconds * 1000) });
}

/** Returns Status.json (docs/design.md section 7) of a logger whose card of 28 GB fills up by 40 MB a day. */
export function statusBody(loggerSerial: string, configGuid: string, timeMs: number): string {
  return JSON.stringify({
    serial_number: loggerSerial,
    fw_ver: '7.51 (simulated)',
    micro_type: 'ReXgen',
    config_name: CONFIG_NAME,
    config_GUID: configGuid,
    max_space_MB: 28_672,
    free_space_MB: 28_672 - 40 * (Math.floor(timeMs / 86_400_000) % 600),
    RTC_UNIX: Math.floor(timeMs / 1000),
  });
}

/** Starts the uploads of a simulated logger. Failures are written to the outage log, and never thrown. */
export function startLogger(options: LoggerClientOptions): LoggerClient {
  const { loggerSerial, signalsAt, now } = options;
  const folder = `${CONFIG_NAME}_SN${loggerSerial}`;
  const s3 = new S3Client({
    endpoint: options.portal,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1, // the upload queue retries
    credentials: { accessKeyId: options.accessKey, secretAccessKey: options.secret },
    requestHandler: options.agents,
  });
  const openQueue = (limit: number, timeoutMs: number, ContentType: string): UploadQueue =>
    uploadQueue({
      put: async ({ key: Key, body }, signal) => {
        const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        const command = new PutObjectCommand({ Bucket: options.bucket, Key, Body: body(), ContentType });
        await s3.send(command, { abortSignal });
      },
      delivered: () => options.outages.delivered(loggerSerial),
      failed: (error) => options.outages.failed(loggerSerial, error),
      limit,
      firstRetryMs: 1_000,
      longestRetryMs: 10_000,
    });
  const queue = openQueue(BACKLOG_FILES, UPLOAD_TIMEOUT_MS, 'application/json');
  // Log files have a separate queue, so that snapshots do not wait until a log file is decoded.
  const logs = openQueue(BACKLOG_LOGS, LOG_TIMEOUT_MS, 'application/octet-stream');

  const addSnapshot = (timeMs: number): void => {
    const text = snapshotBody(signalsAt, timeMs);
    // The vendor's loggers overwrite this object with each snapshot.
    queue.add({ key: `${folder}/J1939Snapshot.json`, body: () => text });
  };
  const { log } = options;
  /** Start of the file that is being recorded. */
  let logFrom = log && now() - ((now() - log.offsetMs) % HOUR_MS);
  const addLogs = (time: number): void => {
    for (; log && logFrom !== undefined && logFrom + HOUR_MS <= time; logFrom += HOUR_MS) {
      const from = logFrom;
      logs.add({ key: logFileKey(loggerSerial, from), body: () => log.fileOf(from, from + HOUR_MS) });
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let statusDue = 0;
  const tick = (): void => {
    const time = now();
    if (time >= statusDue) {
      statusDue = time + options.statusEveryMs;
      const body = (): string => statusBody(loggerSerial, options.configGuid, now());
      queue.add({ key: `${folder}/Status.json`, body });
    }
    addSnapshot(time);
    addLogs(time);
    timer = setTimeout(tick, options.snapshotEveryMs * (0.9 + 0.2 * Math.random()));
  };
  if (options.silentSince === undefined) {
    // A random delay, because loggers are switched on at different moments.
    timer = setTimeout(tick, options.snapshotEveryMs * Math.random());
  } else {
    for (let i = LAST_READINGS - 1; i >= 0; i--) addSnapshot(options.silentSince - i * 60_000);
  }

  return {
    async stop() {
      clearTimeout(timer);
      await Promise.all([queue.close(STOP_GRACE_MS), logs.close(STOP_GRACE_MS)]);
      s3.destroy();
    },
  };
}
