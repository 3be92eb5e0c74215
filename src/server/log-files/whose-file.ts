import type { Database } from '#server/platform/database.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { encryptedLogError } from '#server/telemetry/decode/encrypted-log.ts';
import { formatOf, isLogFormat, type LogFormat } from '#server/telemetry/decode/log-file-name.ts';
import type { LoggerDirectory } from '#server/telemetry/logger-directory.ts';
import { manualUploadKey, serialOfUploadKey } from '#server/telemetry/manual-uploads.ts';

/**
 * Returns the format of a file by its name.
 * @throws ProblemError 400 with the reason that such a file is rejected
 */
export function requireReadableLogFormat(name: string): LogFormat {
  if (/[/\\\p{Cc}]/u.test(name)) throw invalidInputError('De naam van het bestand is onleesbaar.');
  const encrypted = encryptedLogError(name);
  if (encrypted) throw invalidInputError(encrypted.message);
  const format = formatOf(name);
  if (format === 'compressed rxd')
    throw invalidInputError(
      'Pak dit bestand eerst uit: in een gecomprimeerd .rxd-bestand kan het portaal de geheimen van de logger niet wissen.',
    );
  if (!isLogFormat(format))
    throw invalidInputError(
      'Dit soort bestand leest het portaal niet. Het leest .rxd, .mf4, .asc, .blf, .trc, .log (candump), .csv en .gpx.',
    );
  return format;
}

/**
 * The loggers of a file. `keeper`: the present logger of the stream, under which the file is stored; `recorder`: the logger that
 * recorded it.
 */
export type LogFileLoggers = { readonly key: string; readonly keeper: string; readonly recorder: string };

/**
 * Returns under which logger an uploaded file is stored, and which logger recorded it: the one that the file or its name gives, otherwise
 * the present one.
 * @param inContent serial number of the recorder, from the content
 * @throws ProblemError 409 if the stream has no logger, 400 if the recorder was never bound to it
 */
export async function loggersOfFile(
  db: Database,
  directory: LoggerDirectory,
  streamId: number,
  name: string,
  inContent?: string,
): Promise<LogFileLoggers> {
  const keeper = (await currentWriter(db, streamId))?.loggerSerial;
  if (keeper === undefined) throw new ProblemError('conflict', 'Koppel eerst een logger aan deze machine.');
  const key = manualUploadKey(name, inContent);
  const recorder = serialOfUploadKey(key) ?? keeper;
  const bindings = await directory.bindings(recorder);
  if (/*rule:log-file-upload-bound*/ !bindings.some((binding) => binding.streamId === streamId) /*=false*/)
    throw invalidInputError(
      `Dit bestand is van logger ${recorder}, en die was nooit aan deze machine gekoppeld. Upload het bij de machine van die logger.`,
    );
  return { key, keeper, recorder };
}
