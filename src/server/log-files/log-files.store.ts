import type { Database } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { readChunks } from '#server/telemetry/chunks.store.ts';
import { formatOf, isLogFormat } from '#server/telemetry/decode/log-file-name.ts';
import { MANUAL_UPLOAD_PREFIX } from '#server/telemetry/manual-uploads.ts';
import type { LogFile, LogSummary } from '#shared/contract/log-files.ts';
import {
  type DeliveryFinding,
  dutchFindingsText,
  NOT_DECODED_FINDING,
  type QuarantineReason,
} from '#shared/domain/delivery-findings/delivery-findings.ts';

type Row = {
  id: string;
  key: string;
  loggerSerial: string;
  size: number;
  at: Date;
  summary: LogSummary | null;
  outcome: readonly DeliveryFinding[];
  isLog: boolean;
  isWithheld: boolean;
};

const COLUMNS = `o.id, o.key, o.logger_serial, o.size::float8 as size, o.modified_at as at,
  o.log_summary as summary, o.outcome, o.log_stored_at is not null as is_log, o.is_withheld`;

/**
 * SQL for the files that loggers uploaded while they were bound to stream $1, since the stream's present owner has it. $2: the outcome of
 * an unread file.
 */
const OF_STREAM = `object o, (
    select logger_serial, stream_id, created_at,
      lead(created_at, 1, 'infinity') over (partition by logger_serial order by created_at, id) as until
    from writer where logger_serial in (select logger_serial from writer where stream_id = $1)
  ) as w
  where /*rule:log-files-own-loggers*/ w.stream_id = $1 /*=true*/
    and o.logger_serial = w.logger_serial and o.modified_at >= w.created_at and o.modified_at < w.until
    and /*rule:log-files-present-owner*/ o.modified_at >= (select valid_from from ownership where stream_id = $1 and valid_to = 'infinity') /*=true*/
    and (o.log_stored_at is not null or o.outcome = $2::jsonb)`;

/** The outcome that is stored for a file that the portal could not decode. */
const UNREAD = JSON.stringify([NOT_DECODED_FINDING]);

/** Returns the newest log files of a stream, also those of kinds that are not decoded, and the number of all its log files. */
export async function listLogFiles(
  db: Database,
  streamId: number,
  most: number,
): Promise<{ files: LogFile[]; count: number }> {
  const { rows } = await db.query<Row & { count: number }>(
    `select ${COLUMNS}, count(*) over ()::int as count from ${OF_STREAM} order by o.modified_at desc, o.id desc limit $3`,
    [streamId, UNREAD, most],
  );
  return { files: rows.map(toFile), count: rows[0]?.count ?? 0 };
}

/** A stored file, with the key of its object. */
export type StoredLogFile = { readonly key: string; readonly shown: LogFile };

/**
 * Finds a file.
 * @throws ProblemError 404 if the stream has no such file
 */
export async function findLogFile(db: Database, streamId: number, id: string): Promise<StoredLogFile> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from ${OF_STREAM} and o.id = $3`, [
    streamId,
    UNREAD,
    id,
  ]);
  const row = rows[0];
  if (!row) throw notFound('Dit logbestand is er niet (meer).');
  return { key: row.key, shown: toFile(row) };
}

function toFile({ key, at, outcome, isLog, ...row }: Row): LogFile {
  const { id, loggerSerial, size, summary, isWithheld } = row;
  const name = key.slice(key.lastIndexOf('/') + 1);
  return {
    id,
    name,
    loggerSerial,
    size,
    at: at.toISOString(),
    isByHand: key.startsWith(MANUAL_UPLOAD_PREFIX),
    summary,
    result: dutchFindingsText(outcome),
    findings: outcome,
    canDecode: isLog && !isWithheld && isLogFormat(formatOf(name)),
    isWithheld,
  };
}

/**
 * Returns the bytes of a stored file.
 * @throws EndpointUnavailable if the file is replaced or deleted in the meantime
 */
export async function* readLogFile(
  db: Database,
  { id, size }: LogFile,
): AsyncGenerator<Buffer, void, undefined> {
  const { rows } = await db.query<{ body: Buffer | null }>('select body from object where id = $1', [id]);
  const body = rows[0]?.body;
  if (body) yield body;
  else yield* readChunks(db, 'object_chunk', id, size);
}

/** Returns how many readings of a file are quarantined, by reason. */
export async function countQuarantinedReadings(
  db: Database,
  id: string,
): Promise<{ count: number; reason: QuarantineReason[] }[]> {
  const { rows } = await db.query<{ count: number; reason: QuarantineReason[] }>(
    `select held_count as count, reason from quarantine where object_id = $1 and held_count is not null`,
    [id],
  );
  return rows;
}

/** Returns the bytes that people have uploaded today (Europe/Amsterdam) under a logger. */
export async function bytesUploadedToday(db: Database, loggerSerial: string): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select coalesce(sum(size), 0)::float8 as bytes from object
     where starts_with(key, $2) and logger_serial = $1
       and log_stored_at >= date_trunc('day', now() at time zone 'Europe/Amsterdam') at time zone 'Europe/Amsterdam'`,
    [loggerSerial, MANUAL_UPLOAD_PREFIX],
  );
  return rows[0]?.bytes ?? 0;
}
