import pg from 'pg';
import {
  type Delivery,
  type DeliveryKind,
  DoorUnavailable,
  type UploadBackend,
} from '#server/door/upload-backend.ts';
import { isUnavailable } from '#server/platform/database.ts';
import { reasonOf } from '#server/platform/warn.ts';
import { openKeyUse } from '#server/writers/keys.store.ts';
import { formatOf, isLogFormat } from './decode/log-file-name.ts';
import { deliverDocument } from './document-delivery.ts';
import { FunnelUnavailable } from './funnel.ts';
import { deliverLog } from './log-delivery.ts';
import type { LogQueue, LogQueueLimits } from './log-queue.ts';
import type { LoggerKey } from './logger-directory.ts';
import { objectsOf } from './objects.store.ts';
import type { Telemetry } from './telemetry.ts';

export const LOG_TURNS: LogQueueLimits = {
  /** Each uses one connection of the pool at a time, and one core at most: the rest is for what is live. */
  atOnce: 2,
  /** A file of bombs holds 10 MB while it waits for its next turn. */
  underWay: 16,
  /** A file of a few seconds' decoding is let through in between by those that take minutes. */
  turnMs: 100,
  /** rclone waits 5 minutes for an answer. */
  patienceMs: 4 * 60_000,
};

type UploadParts = Telemetry & { readonly bucket: string; readonly logs: LogQueue };

/** What the upload door works on: keys, deliveries and stored objects (docs/design.md section 7). */
export function openUploadBackend(telemetry: UploadParts): UploadBackend {
  const { bucket, logs, pool, directory, counters, now, log, warn } = telemetry;
  const keyUse = openKeyUse(pool, warn);

  const noteRefusal = async (accessKey: string, code: string, key: string | undefined): Promise<void> => {
    if (code === 'InvalidAccessKeyId') return counters.addUnknownKey(accessKey);
    const known = await directory.key(accessKey);
    if (!known) return;
    const error = key === undefined ? code : `${code}: ${key}`;
    counters.add(known.writerId, { refused: 1 }, { at: now(), error });
  };

  return {
    bucket,
    now,
    log: {
      warn: (fields, message) =>
        warn(message, reasonOf((fields as { err?: Error }).err) ?? JSON.stringify(fields)),
      error: (fields, message) => log.error(fields, message),
    },
    objects: objectsOf(pool),
    credentials: (accessKey) => unavailableAsSuch(directory.key(accessKey)),
    async deliver(delivery) {
      const key = await unavailableAsSuch(directory.key(delivery.credential.accessKey));
      // Withdrawn while the body came in.
      if (!key) throw new DoorUnavailable('The key was withdrawn.');
      await unavailableAsSuch(deliver(telemetry, logs, delivery, key));
      await keyUse.note(key.accessKey);
    },
    refused({ code, accessKey, key }) {
      if (accessKey === undefined) return;
      noteRefusal(accessKey, code, key).catch((error: Error) =>
        warn('A refused upload could not be noted', error.message),
      );
    },
  };
}

const deliver = (telemetry: Telemetry, logs: LogQueue, delivery: Delivery, key: LoggerKey): Promise<void> => {
  const { body } = delivery;
  return Buffer.isBuffer(body)
    ? deliverDocument(telemetry, delivery, body, key)
    : logs.run(key.loggerSerial, (giveWay) => deliverLog(telemetry, delivery, body, key, giveWay));
};

/** Whatever the database says, the logger is told to come back later: an upload that got no 200 is not lost. */
async function unavailableAsSuch<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FunnelUnavailable || error instanceof pg.DatabaseError || isUnavailable(error)) {
      throw new DoorUnavailable((error as Error).message, { cause: error });
    }
    throw error;
  }
}

/** Documents are small and read whole; log files are large and spooled (docs/design.md section 7). */
export function kindOf(fileName: string): DeliveryKind {
  const format = formatOf(fileName);
  return isLogFormat(format) || format === 'rxd' ? 'log' : 'document';
}
