import type { Database, Transaction } from '#server/platform/database.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';

/** What log files may take, in bytes (docs/decisions/0021). */
export type LogQuotas = {
  /** That may be stored with one key per day of Europe/Amsterdam. */
  readonly keyDay: number;
  /** That are kept, as they came, of the loggers that report for the streams of one organization now. */
  readonly organization: number;
};

export const MIB = 1024 ** 2;
type Settings = { readonly LOG_MIB_PER_KEY_DAY: number; readonly LOG_MIB_PER_ORGANIZATION: number };
export const logQuotas = (config: Settings): LogQuotas => ({
  keyDay: config.LOG_MIB_PER_KEY_DAY * MIB,
  organization: config.LOG_MIB_PER_ORGANIZATION * MIB,
});

/** What a file counts for at least: its rows take room too, however small it is. */
export const LEAST_BYTES = 4096;

/** $1 a key, $2 the day, $3 bytes that come, $4 the quota. */
const SPENT = 'case when log_day = $2 then log_bytes else 0 end';
const FITS = `access_key = $1 and ${SPENT} + $3::bigint <= $4`;

/** A log file that is on its way. `now`: ms. */
type ComingLog = { readonly accessKey: string; readonly bytes: number; readonly now: number };

const parameters = ({ keyDay }: LogQuotas, { accessKey, bytes, now }: ComingLog) => [
  accessKey,
  amsterdamDay(now),
  Math.max(bytes, LEAST_BYTES),
  keyDay,
];

/** Whether a log file fits in what its key may still send today. */
export async function fitsToday(db: Database, quotas: LogQuotas, log: ComingLog): Promise<boolean> {
  const { rowCount } = await db.query(`select from writer_key where ${FITS}`, parameters(quotas, log));
  return rowCount === 1;
}

/** The same, and takes it, in the transaction that stores the file: of several at once none is stored beyond the quota. */
export async function takeToday(client: Transaction, quotas: LogQuotas, log: ComingLog): Promise<boolean> {
  const { rowCount } = await client.query(
    `update writer_key set log_day = $2, log_bytes = ${SPENT} + $3::bigint where ${FITS}`,
    parameters(quotas, log),
  );
  return rowCount === 1;
}

/** As a `from` item: which logger reports for which organization's stream now. */
export const REPORTING = `(
  writer w join ownership o on o.stream_id = w.stream_id and o.valid_to = 'infinity' and w.valid_to = 'infinity'
)`;

/** The same: what is kept of each organization's loggers. */
export const KEPT = `(
  select o.organization_id, sum(s.bytes)::float8 as bytes, array_agg(s.logger_serial) as loggers
  from stored_log s join ${REPORTING} on w.logger_serial = s.logger_serial group by o.organization_id
) as kept`;

/** The organizations of which more is kept than the quota, with their loggers. `excess`: bytes. */
export async function overQuota(
  db: Database,
  { organization }: LogQuotas,
): Promise<{ readonly loggers: readonly string[]; readonly excess: number }[]> {
  const { rows } = await db.query<{ loggers: string[]; excess: number }>(
    `select loggers, bytes - $1 as excess from ${KEPT} where bytes > $1 order by organization_id`,
    [organization],
  );
  return rows;
}
