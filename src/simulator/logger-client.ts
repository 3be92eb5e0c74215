import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { logFileKey } from './can-log.ts';
import type { SignalsAt } from './machine-model.ts';
import type { OutageLog } from './outage-log.ts';
import { type UploadQueue, uploadQueue } from './upload-queue.ts';

/** A simulated ReXgen: uploads its last values, its state and its log files over S3, as docs/design.md section 7 has it. */

export type LoggerClientOptions = {
  /** The portal's address, for example `http://127.0.0.1:3000`. */
  readonly portal: string;
  readonly bucket: string;
  /** Seven digits. */
  readonly loggerSerial: string;
  readonly accessKey: string;
  readonly secret: string;
  /** GUID of the configuration it runs. */
  readonly configGuid: string;
  readonly signalsAt: SignalsAt;
  /** Undefined: the logger records no log files. */
  readonly log?: HourlyLog | undefined;
  /** Silent since then (ms): it delivers its last readings before, and nothing more. */
  readonly silentSince?: number;
  readonly outages: OutageLog;
  /** Shared by all loggers, so that they do not each hold connections. */
  readonly agents: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent };
  /** Milliseconds. */
  readonly now: () => number;
  /** Milliseconds between snapshots. */
  readonly snapshotEveryMs: number;
  readonly statusEveryMs: number;
};

export type HourlyLog = {
  /** Milliseconds past the full hour at which a file ends and the next one begins. */
  readonly offsetMs: number;
  /** Returns the file of a period, milliseconds. */
  readonly fileOf: (from: number, to: number) => Uint8Array;
};

export type LoggerClient = { readonly stop: () => Promise<void> };

const CONFIG_NAME = 'WS';
/** Half an hour of snapshots at one per 5 s. */
const BACKLOG_FILES = 360;
const UPLOAD_TIMEOUT_MS = 20_000;
/** A card of real loggers holds more; a computer that slept for longer has a gap. */
const BACKLOG_LOGS = 48;
/** The portal answers after decoding, when it is the file's turn. */
const LOG_TIMEOUT_MS = 120_000;
const HOUR_MS = 3_600_000;
const STOP_GRACE_MS = 1_000;
const LAST_READINGS = 11;

/** The file of last values at an instant (ms): one flat object of numbers, times in seconds. */
export function snapshotBody(signalsAt: SignalsAt, timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000);
  return JSON.stringify({ RTC_UNIX: seconds, GMT_UNIX: seconds, ...signalsAt(seconds * 1000) });
}

/** The heartbeat (docs/design.md section 7). A 28 GB card fills by 40 MB a day, the oldest logs go. */
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

/** Starts delivering; failures go to the outage log, never to the caller. */
export function startLogger(options: LoggerClientOptions): LoggerClient {
  const { loggerSerial, signalsAt, now } = options;
  const folder = `${CONFIG_NAME}_SN${loggerSerial}`;
  const s3 = new S3Client({
    endpoint: options.portal,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1, // the queue retries
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
  // Snapshots do not wait until a log file is decoded.
  const logs = openQueue(BACKLOG_LOGS, LOG_TIMEOUT_MS, 'application/octet-stream');

  const addSnapshot = (timeMs: number): void => {
    const text = snapshotBody(signalsAt, timeMs);
    // Overwritten each time, as the vendor's loggers do.
    queue.add({ key: `${folder}/J1939Snapshot.json`, body: () => text });
  };
  const { log } = options;
  /** Begin of the file that is being recorded. */
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
    // Loggers were switched on at different moments.
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
