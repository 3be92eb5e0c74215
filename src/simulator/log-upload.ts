import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { DemoMachine } from '#shared/demo/fleet.ts';
import { logFileKey, type Recording, rxdLog } from './can-log.ts';
import type { LoggerKeys } from './logger-keys.ts';
import type { SignalsAt } from './machine-model.ts';

/** Time limit of an upload. The portal responds after decoding, which takes less than a second for an hour's file. */
const UPLOAD_TIMEOUT_MS = 60_000;

export type LogUploadOptions = {
  /** Address of the portal, for example `http://127.0.0.1:3000`. */
  readonly portal: string;
  readonly keys: LoggerKeys;
};

/**
 * Uploads the .rxd file of a period as the machine's logger would, with the logger's folder and key.
 * @throws Error of the S3 client if the upload was not acknowledged
 */
export async function uploadLog(
  { portal, keys }: LogUploadOptions,
  machine: DemoMachine,
  signalsAt: SignalsAt,
  recording: Recording,
): Promise<void> {
  const { loggerSerial } = machine;
  const logger = keys.loggers.find((known) => known.loggerSerial === loggerSerial);
  if (!logger) throw new Error(`there is no key for logger ${loggerSerial}`);
  const s3 = new S3Client({
    endpoint: portal,
    region: 'eu-central-1',
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: logger.accessKey, secretAccessKey: logger.secret },
  });
  try {
    const Key = logFileKey(loggerSerial, recording.from);
    const Body = rxdLog(machine, signalsAt, recording);
    const command = new PutObjectCommand({ Bucket: keys.bucket, Key, Body });
    await s3.send(command, { abortSignal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) });
  } finally {
    s3.destroy();
  }
}
