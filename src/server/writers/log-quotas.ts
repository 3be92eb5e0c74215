import type { Database, Transaction } from '#server/platform/database.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

/** Quotas of log files, in bytes (docs/decisions/0021). */
export type LogQuotas = {
  /** Maximum bytes of log files that may be uploaded with one key per day of Europe/Amsterdam. */
  readonly keyDay: number;
  /** Maximum bytes of stored log files, as received, of all loggers that now report for the streams of one organization. */
  readonly organization: number;
};

export const MIB = 1024 ** 2;
type Settings = { readonly LOG_MIB_PER_KEY_DAY: number; readonly LOG_MIB_PER_ORGANIZATION: number };
export const logQuotasFromSettings = (config: Settings): LogQuotas => ({
  keyDay: config.LOG_MIB_PER_KEY_DAY * MIB,
  organization: config.LOG_MIB_PER_ORGANIZATION * MIB,
});

/** Minimum number of bytes that a file counts for, because the rows of a small file take space too. */
export const MIN_QUOTA_FILE_BYTES = 4096;

/**
 * Two SQL expressions: the bytes used today, and the condition that a file fits in the quota. $1: key, $2: day, $3: bytes of the file, $4:
 * quota.
 */
const USED_TODAY = 'case when log_day = $2 then log_bytes else 0 end';
const FITS = `access_key = $1 and ${USED_TODAY} + $3::bigint <= $4`;

/** A log file that is being uploaded. `now`: ms. */
type IncomingLog = { readonly accessKey: string; readonly bytes: number; readonly now: number };

const parameters = ({ keyDay }: LogQuotas, { accessKey, bytes, now }: IncomingLog) => [
  accessKey,
  amsterdamDay(now),
  Math.max(bytes, MIN_QUOTA_FILE_BYTES),
  keyDay,
];

/** Returns whether a log file fits in the remaining quota of its key today. */
export async function fitsDailyQuota(db: Database, quotas: LogQuotas, log: IncomingLog): Promise<boolean> {
  const { rowCount } = await db.query(`select from writer_key where ${FITS}`, parameters(quotas, log));
  return rowCount === 1;
}

/**
 * Adds a log file to the used quota of its key, if it fits, in the transaction that stores the file, so that simultaneous uploads
 * cannot exceed the quota.
 */
export async function consumeDailyQuota(
  client: Transaction,
  quotas: LogQuotas,
  log: IncomingLog,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update writer_key set log_day = $2, log_bytes = ${USED_TODAY} + $3::bigint where ${FITS}`,
    parameters(quotas, log),
  );
  return rowCount === 1;
}

/** SQL `from` item: the reporting logger of each stream, with the stream's organization. */
export const REPORTING_LOGGERS_SQL = `(
  writer w join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity' and w.valid_to = 'infinity'
)`;

/** SQL `from` item: the bytes of stored log files by organization. */
export const ORGANIZATION_LOG_BYTES_SQL = `(
  select o.organization_id, sum(s.bytes)::float8 as bytes, array_agg(s.logger_serial) as loggers
  from stored_log s join ${REPORTING_LOGGERS_SQL} on w.logger_serial = s.logger_serial group by o.organization_id
) as kept`;

/** Returns the organizations that exceed their quota, with their loggers. `excess`: bytes. */
export async function findOrganizationsOverQuota(
  db: Database,
  { organization }: LogQuotas,
): Promise<{ readonly loggers: readonly string[]; readonly excess: number }[]> {
  const { rows } = await db.query<{ loggers: string[]; excess: number }>(
    `select loggers, bytes - $1 as excess from ${ORGANIZATION_LOG_BYTES_SQL} where bytes > $1 order by organization_id`,
    [organization],
  );
  return rows;
}
