import pg from 'pg';
import { isPoolClosed, isUnavailable } from '#server/platform/database.ts';
import { errorReasonOf } from '#server/platform/warn.ts';
import { S3Error } from '#server/s3/s3-error.ts';
import {
  type Credential,
  type DeliveryKind,
  EndpointClosed,
  EndpointUnavailable,
  KeyWithdrawn,
  type MultipartUploads,
  type RefusedRequest,
  type SecretsBlanker,
  type UploadBackend,
} from '#server/s3/upload-backend.ts';
import { openKeyUseRecorder } from '#server/writers/keys.store.ts';
import { fitsDailyQuota } from '#server/writers/log-quotas.ts';
import { wrongHostRefusal } from '#shared/domain/upload-refusals.ts';
import { RxdSecretsBlanker } from './decode/can-log/rxd/rxd-secrets.ts';
import { ConfigurationTextBlanker } from './decode/configuration-texts.ts';
import { formatOf, isLogFormat } from './decode/log-file-name.ts';
import { deliverDocument } from './document-delivery.ts';
import { deliverLog, QUOTA_USED_MESSAGE } from './log-delivery.ts';
import type { LoggerKey } from './logger-directory.ts';
import {
  abortUpload,
  beginUpload,
  completeUpload,
  findUpload,
  listUploadParts,
  storePart,
} from './multipart-uploads.store.ts';
import { openStoredObjects } from './objects.store.ts';
import type { Telemetry } from './telemetry.ts';
import { WriteQueueClosed, WriteQueueUnavailable } from './write-queue.ts';

/** Maximum number of different wrong Host headers that are logged: a proxy that replaces Host sends one or a few names. */
const MAX_WARNED_HOSTS = 20;

type KnownRefusal = RefusedRequest & { readonly accessKey: string };

/** Returns the backend of the upload endpoint: keys, uploads and stored objects (docs/design.md section 7). */
export function openUploadBackend(telemetry: Telemetry, bucket: string, publicUrl: string): UploadBackend {
  const { pool, directory, counters, logs, quotas, now, log, warn } = telemetry;
  const keyUse = openKeyUseRecorder(pool, warn);

  const warnedHosts = new Set<string>();
  const warnOfHost = (host: string): void => {
    if (warnedHosts.has(host) || warnedHosts.size >= MAX_WARNED_HOSTS) return;
    warnedHosts.add(host);
    log.warn(
      `Uploads of loggers are refused: Host is ${host}, PUBLIC_URL says ${new URL(publicUrl).host}. Let the proxy pass the header Host as it comes (docs/reverse-proxy.md).`,
    );
  };

  const noteRefusal = async ({ accessKey, code, key, host }: KnownRefusal): Promise<void> => {
    if (code === 'InvalidAccessKeyId') return counters.addUnknownKey(accessKey, key);
    const known = await directory.key(accessKey);
    if (!known) return;
    if (host !== undefined) warnOfHost(host);
    const plain = key === undefined ? code : `${code}: ${key}`;
    const refusal = host === undefined ? plain : wrongHostRefusal(host, key);
    await counters.add(known.writerId, { refused: 1 }, { at: now(), refusal });
  };

  const keyInForce = async ({ accessKey }: Credential): Promise<LoggerKey> => {
    const key = await directory.key(accessKey);
    // The key is unknown if it was withdrawn while the body was received or waited in the queue.
    if (!key) throw new KeyWithdrawn();
    return key;
  };

  const multipart: MultipartUploads = {
    begin: (credential, key, about) =>
      unavailableAsSuch(keyInForce(credential).then((own) => beginUpload(telemetry, own, { key, ...about }))),
    find: (credential, key, id) =>
      unavailableAsSuch(keyInForce(credential).then((own) => findUpload(pool, own, key, id))),
    parts: (upload, page) => unavailableAsSuch(listUploadParts(pool, upload, page)),
    async store(credential, upload, part, body) {
      let isStored = false;
      // Storing a part of a multipart upload waits in the queue of log files, like the log files of this and other loggers.
      const store = async (): Promise<void> => {
        isStored = await storePart(telemetry, await keyInForce(credential), upload, part, body);
      };
      await unavailableAsSuch(logs.run(credential.loggerSerial, store));
      return isStored;
    },
    complete: (upload, etag) => unavailableAsSuch(completeUpload(pool, upload, etag)),
    abort: (upload) => unavailableAsSuch(abortUpload(pool, upload)),
  };

  return {
    bucket,
    now,
    log: {
      warn: (fields, message) =>
        warn(message, errorReasonOf((fields as { err?: Error }).err) ?? JSON.stringify(fields)),
      error: (fields, message) => log.error(fields, message),
    },
    objects: openStoredObjects(pool),
    multipart,
    credentials(accessKey) {
      const key = directory.key(accessKey);
      return key instanceof Promise ? unavailableAsSuch(key) : key;
    },
    async admitLog({ accessKey }, bytes) {
      if (!(await unavailableAsSuch(fitsDailyQuota(pool, quotas, { accessKey, bytes, now: now() })))) {
        throw new EndpointUnavailable(QUOTA_USED_MESSAGE);
      }
    },
    async deliver(delivery) {
      const { credential, body } = delivery;
      const { accessKey, loggerSerial } = credential;
      try {
        if (Buffer.isBuffer(body)) {
          await deliverDocument(telemetry, delivery, body, await keyInForce(credential));
        } else {
          await logs.run(loggerSerial, async (giveWay) =>
            deliverLog(telemetry, delivery, body, await keyInForce(credential), async () => {
              await giveWay();
              // Checks the key again, because it may have been withdrawn meanwhile, for example when its customer was deleted.
              await keyInForce(credential);
            }),
          );
        }
      } catch (error) {
        throw asUnavailable(error);
      }
      await keyUse.note(accessKey);
    },
    refused({ accessKey, ...refusal }) {
      if (accessKey === undefined) return;
      // A refusal just before the process ends may not be counted, like the refusals in the last second before a process is killed.
      noteRefusal({ ...refusal, accessKey }).catch(
        (error: Error) => pool.ending || warn('A refused upload could not be noted', error.message),
      );
    },
  };
}

/** Converts database errors to an answer that makes the logger retry later: a logger repeats an upload until the answer is 200. */
const unavailableAsSuch = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw asUnavailable(error);
  });

function asUnavailable(error: unknown): unknown {
  if (error instanceof WriteQueueUnavailable || error instanceof pg.DatabaseError || isUnavailable(error)) {
    const isStopping = error instanceof WriteQueueClosed || isPoolClosed(error);
    const Unavailable = isStopping ? EndpointClosed : EndpointUnavailable;
    return new Unavailable((error as Error).message, { cause: error });
  }
  return error;
}

/**
 * Returns how a file is handled: documents are small and read whole; log files are large and spooled (docs/design.md
 * section 7).
 * @throws S3Error for a file that is not accepted
 */
export function deliveryKindOf(fileName: string): DeliveryKind {
  const format = formatOf(fileName);
  if (format === 'compressed rxd')
    throw new S3Error(
      'InvalidRequest',
      'Send .rxd files as they are: the secrets in a compressed one cannot be blanked.',
    );
  return isLogFormat(format) || format === 'encrypted' ? 'log' : 'document';
}

/**
 * Returns a cleaner that blanks the secrets in a file of that name before it is written; undefined when such files have
 * none.
 */
export function secretsBlankerOf(fileName: string): SecretsBlanker | undefined {
  const format = formatOf(fileName);
  if (format === 'rxd') return new RxdSecretsBlanker();
  return format === 'configuration' ? new ConfigurationTextBlanker() : undefined;
}
