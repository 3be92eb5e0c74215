import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import type { StoredObject, StoredObjects } from '#server/s3/upload-backend.ts';
import {
  findOrganizationsOverQuota,
  type LogQuotas,
  MIN_QUOTA_FILE_BYTES,
} from '#server/writers/log-quotas.ts';
import type { FormerBinding } from '#server/writers/writers.store.ts';
import type { LogSummary } from '#shared/contract/log-files.ts';
import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { busReportToJson } from './bus-reports.store.ts';
import { readChunks, writeChunks } from './chunks.store.ts';
import type { BusReport } from './decode/j1939/bus-report.ts';
import { MANUAL_UPLOAD_PREFIX } from './manual-uploads.ts';
import { findingsToJson } from './stored-findings.ts';
import type { DocumentRow } from './write-queue-group.ts';

/**
 * Number of documents per logger in HEAD and LIST (docs/design.md section 7). Log files are listed as long as they are
 * stored.
 */
export const MAX_DOCUMENTS_PER_LOGGER = 1_000;

type Row = {
  id: string;
  key: string;
  size: string;
  etag: string;
  contentType: string;
  metadata: Record<string, string>;
  modifiedMs: number;
};

const COLUMNS = `id, key, size, etag, content_type, metadata, extract(epoch from modified_at)::float8 * 1000 as modified_ms`;

const toObject = (row: Row): StoredObject => ({
  key: row.key,
  size: Number(row.size),
  etag: row.etag,
  lastModified: row.modifiedMs,
  contentType: row.contentType,
  metadata: row.metadata,
});

/** SQL condition that leaves out objects that the logger of $1 uploaded while it was bound to another machine (INGEST-06). */
const OF_THIS_BINDING = `/*rule:upload-present-binding*/
  modified_at >= (select created_at from writer where logger_serial = $1 and valid_to = 'infinity')
  /*=$1::text is not null*/`;
/** SQL condition that leaves out objects that were uploaded in the time of a former owner of the machine of logger $1. */
const OF_THIS_OWNER = `${OF_THIS_BINDING} and /*rule:objects-former-owner*/ modified_at >= (
  select o.valid_from from writer w join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity'
  where w.logger_serial = $1 and w.valid_to = 'infinity'
) /*=true*/`;

/**
 * SQL for the metadata and time of an object. If a former owner may know the key pair, leaves out the uploader's metadata (rclone
 * sends a file's time) and replaces the time of the upload by a time that depends only on the sale.
 */
const NO_TIMES = `case when k.replace_by is null then metadata else '{}' end as metadata,
  extract(epoch from case when k.replace_by is null then modified_at else k.replace_by - interval '30 days' end)::float8 * 1000
    as modified_ms`;

/** Returns the objects that the upload endpoint shows to a logger: the logger's own, from the time of the present owner. */
export function openStoredObjects(db: Database): StoredObjects {
  return {
    async head({ loggerSerial, accessKey }, key) {
      const { rows } = await db.query<Row>(
        `select id, key, size, etag, content_type, ${NO_TIMES} from object, writer_key k
         where logger_serial = $1 and key = $2 and ${OF_THIS_OWNER}
           and k.access_key = $3 and (k.replace_by is null or k.replace_by > now())`,
        [loggerSerial, key, accessKey],
      );
      return rows[0] && toObject(rows[0]);
    },

    async list({ loggerSerial, accessKey }, { prefix, startAfter, limit }) {
      const { rows } = await db.query<Row>(
        `select ${COLUMNS} from object
         where /*rule:upload-own-list*/ logger_serial = $1 /*=$1::text is not null*/
           and starts_with(key, $2) and key collate "C" > $3 and ${OF_THIS_OWNER}
           and not starts_with(key, '${MANUAL_UPLOAD_PREFIX}')
           and exists (select from writer_key where access_key = $5 and replace_by is null)
         order by key collate "C" limit $4`,
        [loggerSerial, prefix, startAfter, limit, accessKey],
      );
      return rows.map(toObject);
    },
  };
}

/** A stored log file. */
export type StoredLog = {
  readonly id: string;
  readonly key: string;
  readonly storedAt: number; // ms
  /** Returns the file's chunks; each call starts at the beginning. */
  readonly chunks: () => AsyncIterable<Buffer>;
};

type LogRow = Omit<StoredLog, 'chunks'> & { readonly size: number };
const LOG_COLUMNS = `id, key, size::float8 as size, extract(epoch from log_stored_at)::float8 * 1000 as stored_at`;

const toLog = (db: Database, { size, ...log }: LogRow): StoredLog => ({
  ...log,
  chunks: () => readChunks(db, 'object_chunk', log.id, size),
});

/** Returns a log file that is still stored; undefined after it was deleted. */
export async function findStoredLog(db: Database, objectId: string): Promise<StoredLog | undefined> {
  const { rows } = await db.query<LogRow>(
    `select ${LOG_COLUMNS} from object where id = $1 and log_stored_at is not null`,
    [objectId],
  );
  return rows[0] && toLog(db, rows[0]);
}

/**
 * Returns the log files that were received with a binding, in the order of arrival, except those that are withheld until an
 * administrator accepts them.
 */
export async function listStoredLogs(db: Database, writerId: number): Promise<StoredLog[]> {
  const { rows } = await db.query<LogRow>(
    `select ${LOG_COLUMNS} from object o, (
       select logger_serial, created_at, lead(created_at, 1, 'infinity') over (order by created_at, id) as until, id as writer_id
       from writer where logger_serial = (select logger_serial from writer where id = $1)
     ) as w
     where w.writer_id = $1 and o.logger_serial = w.logger_serial and log_stored_at is not null and not is_withheld
       and modified_at >= w.created_at and modified_at < w.until
     order by id`,
    [writerId],
  );
  return rows.map((row) => toLog(db, row));
}

/** Replaces the findings about a stored log file, its J1939 report and its summary. */
export async function updateLogOutcome(
  db: Database,
  objectId: string,
  outcome: readonly DeliveryFinding[],
  busReport: BusReport | undefined,
  summary: LogSummary | undefined,
): Promise<void> {
  await db.query('update object set outcome = $2, bus_report = $3, log_summary = $4 where id = $1', [
    objectId,
    findingsToJson(outcome),
    busReportToJson(busReport),
    summary,
  ]);
}

/** Records that an administrator has adopted the quarantined readings of a log file. */
export async function recordAdopted(db: Database, objectId: string | null): Promise<void> {
  await db.query(
    `update object set is_withheld = false, outcome = (
       select jsonb_agg(case when finding ->> 'kind' = 'quarantined' then finding || '{"isAdopted": true}' else finding end order by place)
       from jsonb_array_elements(outcome) with ordinality as f (finding, place)
     ) where id = $1`,
    [objectId],
  );
}

/**
 * Stores a whole log file in the caller's transaction. An earlier file with the same key is replaced, by an object with another id.
 * If two calls run at the same time, the second waits for the commit of the first.
 * @param content the file from its beginning
 * @returns the object's id
 */
export async function storeFile(
  client: Transaction,
  file: Omit<DocumentRow, 'body'> & {
    readonly isWithheld?: boolean;
    readonly busReport?: BusReport | undefined;
    readonly summary?: LogSummary | undefined;
  },
  content: AsyncIterable<Buffer>,
): Promise<string> {
  const {
    loggerSerial,
    key,
    size,
    etag,
    contentType,
    metadata,
    outcome,
    isWithheld = false,
    busReport,
    summary,
  } = file;
  // The lock is needed because the row of a concurrent insert is not visible yet, so it can be neither deleted nor locked.
  await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [
    ADVISORY_LOCK_KEYS.storedFile,
    `${loggerSerial}/${key}`,
  ]);
  await client.query('delete from object where logger_serial = $1 and key = $2', [loggerSerial, key]);
  const { rows } = await client.query<{ id: string }>(
    `insert into object (logger_serial, key, size, etag, content_type, metadata, outcome, is_withheld, bus_report, log_summary, log_stored_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now()) returning id`,
    [
      loggerSerial,
      key,
      size,
      etag,
      contentType,
      JSON.stringify(metadata),
      findingsToJson(outcome),
      isWithheld,
      busReportToJson(busReport),
      summary,
    ],
  );
  const objectId = rows[0]?.id as string;
  await writeChunks(client, 'object_chunk', objectId, content);
  return objectId;
}

/** Deletes the documents of each logger except the newest ones. Sorts only the documents of loggers that have too many. */
export async function removeOldDocuments(db: Database): Promise<void> {
  await db.query(
    `delete from object where id in (
       select unnest(array(
         select id from object where logger_serial = w.logger_serial and log_stored_at is null
         order by modified_at desc, id desc offset $1
       )) from (select logger_serial from object group by logger_serial having count(*) > $1) as w
     )`,
    [MAX_DOCUMENTS_PER_LOGGER],
  );
}

/** Log files are stored for this many days, so that a corrected definition can decode them again. */
const LOG_FILE_DAYS = 30;

export async function removeOldLogs(db: Database): Promise<void> {
  await db.query('delete from object where log_stored_at < now() - make_interval(days => $1)', [
    LOG_FILE_DAYS,
  ]);
}

/**
 * Maximum number of bytes that are deleted per organization and minute: an upload of one of its loggers waits while they are
 * deleted.
 */
const REMOVED_AT_ONCE_BYTES = 512 * 1024 * 1024;

/** Deletes the oldest log files of organizations that exceed their quota; their readings stay. */
export async function removeLogsOverQuota(db: Database, quotas: LogQuotas): Promise<void> {
  for (const { loggers, excess } of await findOrganizationsOverQuota(db, quotas)) {
    await db.query(
      `delete from object where id in (
         select id from (
           select id, sum(greatest(size, $3)) over (order by log_stored_at, id) - greatest(size, $3) as before
           from object where logger_serial = any ($1) and log_stored_at is not null
         ) as oldest where before < $2
       )`,
      [loggers, Math.min(excess, REMOVED_AT_ONCE_BYTES), MIN_QUOTA_FILE_BYTES],
    );
  }
}

/**
 * Deletes the files that loggers uploaded while they were bound to a stream that is purged, including quarantined files.
 */
export async function removeDeliveries(db: Database, reported: readonly FormerBinding[]): Promise<void> {
  for (const { loggerSerial, from, to, since } of reported) {
    // Quarantined readings of that time may have been uploaded later.
    await db.query('delete from quarantine where logger_serial = $1 and held_from >= $2 and held_to < $3', [
      loggerSerial,
      since,
      to,
    ]);
    // The time of an upload that was in progress when the binding ended lies after the end of that binding, and before the next
    // binding.
    for (const [table, time] of [
      ['object', 'modified_at'],
      ['quarantine', 'received_at'],
    ])
      await db.query(
        `delete from ${table} where logger_serial = $1 and ${time} >= $2 and ${time} < coalesce(
           (select min(created_at) from writer where logger_serial = $1 and created_at > $3), 'infinity')`,
        [loggerSerial, from, to],
      );
  }
}
