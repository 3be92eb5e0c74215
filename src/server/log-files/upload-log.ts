import type { IncomingMessage } from 'node:http';
import { audit } from '#server/platform/audit.ts';
import { inTransaction } from '#server/platform/database.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { spoolSink } from '#server/s3/body-sink.ts';
import type { SpooledBody } from '#server/s3/upload-backend.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { findStreamRow, lockStream, type StreamRow } from '#server/streams/find-stream.ts';
import type { LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import { decodeRecordedLog } from '#server/telemetry/decode/recorded-log.ts';
import {
  EMPTY_DEFINITION,
  isUnreadableLogError,
  LOG_TEXT_LIMITS,
  mayContainReadingIn,
} from '#server/telemetry/log-decoding.ts';
import { storeFile } from '#server/telemetry/objects.store.ts';
import type { Telemetry } from '#server/telemetry/telemetry.ts';
import { secretsBlankerOf } from '#server/telemetry/upload-backend.ts';
import { MIN_QUOTA_FILE_BYTES } from '#server/writers/log-quotas.ts';
import type { LogFile } from '#shared/contract/log-files.ts';
import {
  type DeliveryFinding,
  dutchFindingsText,
} from '#shared/domain/delivery-findings/delivery-findings.ts';
import { MAX_LOG_BYTES } from '#shared/domain/file-limits.ts';
import { formatFileSize } from '#shared/domain/nl.ts';
import { decodeForStream } from './decode-file.ts';
import { bytesUploadedToday, findLogFile } from './log-files.store.ts';
import { type LogFileLoggers, loggersOfFile, requireReadableLogFormat } from './whose-file.ts';

export type LogUploadDependencies = { readonly telemetry: Telemetry; readonly spoolDirectory: string };

type Upload = {
  /** Serial number of the machine, or loggerid. */
  readonly serial: string;
  readonly name: string;
  readonly body: IncomingMessage;
  /** E-mail of the person. */
  readonly actor: string;
};

/**
 * Uploads a log file of an SD card. Secrets in an .rxd file are blanked before the first byte is written. First the readings are
 * stored in the machine's history, then the file, as for a logger's upload. An upload that breaks off earlier stores no file, and
 * can be repeated.
 * @throws ProblemError 400 and 409 with the reason, 413, 429 if the quota of the day is used, 503 if busy
 */
export async function uploadLog(
  { telemetry, spoolDirectory }: LogUploadDependencies,
  { serial, name, body, actor }: Upload,
): Promise<LogFile> {
  const { pool, directory, logs } = telemetry;
  const announced = Number(body.headers['content-length'] ?? 0);
  if (announced > MAX_LOG_BYTES) throw tooLarge();
  const stream = await findStreamRow(pool, serial);
  const format = requireReadableLogFormat(name);
  const place = await loggersOfFile(pool, directory, stream.id, name);
  await requireQuota(telemetry, place.keeper, announced);
  const sink = await spoolSink(spoolDirectory, new Set(['md5']), secretsBlankerOf(name));
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      if (sink.size + piece.length > MAX_LOG_BYTES) throw tooLarge();
      sink.write(piece);
      await sink.flush();
    }
    if (sink.size === 0) throw invalidInputError('Het bestand is leeg.');
    const file = {
      ...{ name, format, place, stream, actor, size: sink.size },
      content: (await sink.body()) as SpooledBody,
      etag: sink.digest('md5').toString('hex'),
    };
    let stored: LogFile | undefined;
    await logs.run(place.recorder, async (giveWay) => {
      stored = await decodeAndStore(telemetry, file, giveWay);
    });
    return stored as LogFile;
  } finally {
    await sink.discard();
  }
}

const tooLarge = () =>
  new ProblemError('too_large', `Het bestand is te groot: hoogstens ${formatFileSize(MAX_LOG_BYTES)}.`);

type ReceivedFile = {
  readonly name: string;
  readonly format: LogFormat;
  readonly place: LogFileLoggers;
  readonly stream: StreamRow;
  readonly actor: string;
  readonly size: number;
  readonly content: SpooledBody;
  /** MD5, hexadecimal. */
  readonly etag: string;
};

async function decodeAndStore(
  telemetry: Telemetry,
  file: ReceivedFile,
  giveWay: () => Promise<void>,
): Promise<LogFile> {
  const { pool, directory } = telemetry;
  const { name, format, stream, actor, size, content, etag } = file;
  const inContent = await recorderInContent(telemetry, file, giveWay);
  const place =
    inContent === undefined ? file.place : await loggersOfFile(pool, directory, stream.id, name, inContent);
  const { key, keeper, recorder } = place;
  const decoded = await decodeForStream(
    telemetry,
    { chunks: content.read, format, fileName: name, recorder, streamId: stream.id },
    giveWay,
  );
  const { readings, outcome, summary, busReport, span } = decoded;
  const own = (await directory.bindings(recorder)).filter(({ streamId }) => streamId === stream.id);
  if (span && !own.some((binding) => mayContainReadingIn({ span }, binding)))
    throw invalidInputError(
      `Dit bestand is niet bewaard: het is van een tijd waarin logger ${recorder} niet aan deze machine gekoppeld was.`,
    );
  if (readings === 0 && !summary?.frames)
    throw invalidInputError(`Dit bestand is niet bewaard: ${reasonOf(outcome)}`);
  return inTransaction(pool, async (client) => {
    const { id: streamId, serial: subject } = await lockStream(client, stream.serial);
    if ((await currentWriter(client, streamId))?.loggerSerial !== keeper)
      throw new ProblemError(
        'conflict',
        'De machine heeft intussen een andere logger. Upload het bestand opnieuw.',
      );
    await requireQuota({ ...telemetry, pool: client }, keeper, size);
    const object = {
      loggerSerial: keeper,
      key,
      size,
      etag,
      contentType: 'application/octet-stream',
      metadata: {},
    };
    const id = await storeFile(client, { ...object, outcome, busReport, summary }, content.read());
    const data = { logger: recorder, file: name, size };
    await audit(client, { actor, action: 'log-file.upload', subject, streamId, data });
    return (await findLogFile(client, streamId, id)).shown;
  });
}

/** Returns the serial number of the logger that recorded a file, if its content has it. */
async function recorderInContent(
  { now }: Telemetry,
  { format, content }: ReceivedFile,
  giveWay: () => Promise<void>,
): Promise<string | undefined> {
  if (format !== 'mf4') return undefined;
  try {
    const log = {
      ...{ chunks: content.read, format, definition: EMPTY_DEFINITION },
      ...{ now: now(), textLimits: LOG_TEXT_LIMITS, giveWay },
    };
    for await (const { recorder } of decodeRecordedLog(log)) return recorder;
  } catch (error) {
    // Ignored here: the file is decoded afterwards, which reports why it cannot be read.
    if (!isUnreadableLogError(error)) throw error;
  }
  return undefined;
}

/** Returns the reason in an outcome without readings, as a sentence: 'het bestand is leeg.' */
const reasonOf = ([, ...reasons]: readonly DeliveryFinding[]): string =>
  dutchFindingsText(reasons).replace(/\.?$/, '.');

/**
 * Requires room in the quota.
 * @throws ProblemError 429 if this file exceeds a logger's quota of today
 */
async function requireQuota(
  { pool, quotas }: Pick<Telemetry, 'quotas'> & { readonly pool: Parameters<typeof bytesUploadedToday>[0] },
  keeper: string,
  bytes: number,
): Promise<void> {
  if ((await bytesUploadedToday(pool, keeper)) + Math.max(bytes, MIN_QUOTA_FILE_BYTES) > quotas.keyDay)
    throw new ProblemError(
      'too_many_requests',
      `Voor deze machine is vandaag al ${formatFileSize(quotas.keyDay)} aan logbestanden geüpload. Ga morgen verder.`,
    );
}
