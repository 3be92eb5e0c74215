import type { Database } from '#server/platform/database.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import { formatDecimals, formatPercent } from '#shared/domain/nl.ts';
import { type LogQuotas, MIB, ORGANIZATION_LOG_BYTES_SQL, REPORTING_LOGGERS_SQL } from './log-quotas.ts';

/** Used share of a quota above which administrators are notified. */
const NOTIFIED_FROM = 0.8;

/** Returns the largest used share of each quota, for the metrics: over all keys today, and over all organizations. */
export async function largestQuotaShares(
  db: Database,
  quotas: LogQuotas,
  now: number,
): Promise<{ readonly key_day: number; readonly organization: number }> {
  const { rows } = await db.query<{ keyDay: number; organization: number }>(
    `select (select coalesce(max(log_bytes), 0)::float8 from writer_key where log_day = $1) as key_day,
       (select coalesce(max(bytes), 0) from ${ORGANIZATION_LOG_BYTES_SQL}) as organization`,
    [amsterdamDay(now)],
  );
  const { keyDay = 0, organization = 0 } = rows[0] ?? {};
  return { key_day: keyDay / quotas.keyDay, organization: organization / quotas.organization };
}

/** A quota that is nearly used up. */
export type NearlyUsedQuota = {
  readonly organizationId: number;
  /** Display name of the organization. */
  readonly organization: string;
  /** Serial number of the logger whose key has this quota; null if the quota is the organization's. */
  readonly loggerSerial: string | null;
  readonly bytes: number;
  readonly quota: number;
};

/** Returns the quotas that administrators are notified about, by organization. */
export async function readNearlyUsedQuotas(
  db: Database,
  quotas: LogQuotas,
  now: number,
): Promise<NearlyUsedQuota[]> {
  const { rows } = await db.query<NearlyUsedQuota>(
    `select used.*, g.clean as organization from (
       select organization_id, null as logger_serial, bytes, $1::float8 as quota
       from ${ORGANIZATION_LOG_BYTES_SQL} where bytes >= $1 * ${NOTIFIED_FROM}
       union all
       select o.organization_id, w.logger_serial, k.log_bytes::float8, $2
       from writer_key k join ${REPORTING_LOGGERS_SQL} on w.id = k.writer_id
       where k.log_day = $3 and k.retired_at is null and k.log_bytes >= $2::float8 * ${NOTIFIED_FROM}
     ) as used join organization g on g.id = used.organization_id
     order by organization_id, logger_serial nulls first`,
    [quotas.organization, quotas.keyDay, amsterdamDay(now)],
  );
  return rows;
}

const size = (bytes: number): string =>
  bytes < 1024 * MIB
    ? `${formatDecimals(bytes / MIB, 1)} MiB`
    : `${formatDecimals(bytes / (1024 * MIB), 1)} GiB`;

/** Returns a sentence for administrators: the use of a quota, and what happens when it is full. */
export function quotaSentence({ organization, loggerSerial, bytes, quota }: NearlyUsedQuota): string {
  const used = `${size(bytes)} van ${size(quota)} (${formatPercent((100 * bytes) / quota)})`;
  return loggerSerial === null
    ? `De logbestanden van ${organization} gebruiken ${used}. Is dat vol, dan gaan de oudste weg; hun metingen blijven.`
    : `Logger ${loggerSerial} van ${organization} stuurde vandaag ${used} aan logbestanden. Wat niet meer past, wordt tot middernacht geweigerd en komt daarna opnieuw; snapshots en Status.json gaan door.`;
}

/** Returns the notices in the health of a logger: about the logger's own quota and that of its organization. */
export const quotaNoticesOf = (
  used: readonly NearlyUsedQuota[],
  organizationId: number,
  logger: string,
): string[] =>
  used
    .filter(
      (use) => use.loggerSerial === logger || (use.loggerSerial ?? use.organizationId) === organizationId,
    )
    .map(quotaSentence);
