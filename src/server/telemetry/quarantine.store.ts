import type { Database } from '#server/platform/database.ts';
import type { DeliveryFinding } from '#shared/domain/delivery-findings/delivery-findings.ts';
import { findingsToJson } from './stored-findings.ts';

/** Maximum number of quarantined uploads per logger; the oldest ones are deleted. */
const QUARANTINE_PER_LOGGER = 100;
/**
 * Bytes of an upload that are stored: enough to see what is wrong with it. The whole body is stored if its readings may be
 * adopted.
 */
const KEPT_BYTES = 64 * 1024;

/**
 * Readings that wait for an administrator (reading-destination.ts): times of the first and the last of these readings in ms, and
 * their number.
 */
export type QuarantinedReadings = { readonly from: number; readonly to: number; readonly count: number };

/** A correctly signed upload whose readings, or some of them, are not stored as history. */
export type QuarantineEntry = {
  readonly loggerSerial: string;
  readonly key: string;
  readonly reason: readonly DeliveryFinding[];
  readonly size: number;
  readonly body?: Buffer;
  readonly readings?: QuarantinedReadings | undefined;
  /** The log file of the quarantined readings. */
  readonly objectId?: string | undefined;
};

/** Returns the parts of a `with` clause that quarantine uploads in order. @param first number of the first parameter */
export const quarantineClausesSql = (first: number): string => {
  const n = (place: number) => `$${first + place}`;
  return `set_apart as (
      insert into quarantine (logger_serial, key, reason, size, body, held_from, held_to, held_count, object_id)
      select * from unnest(${n(0)}::text[], ${n(1)}::text[], ${n(2)}::jsonb[], ${n(3)}::integer[], ${n(4)}::bytea[],
        ${n(5)}::timestamptz[], ${n(6)}::timestamptz[], ${n(7)}::integer[], ${n(8)}::bigint[])
    ),
    made_room as (
      delete from quarantine where id in (
        select unnest(array(
          select id from quarantine where logger_serial = new.logger_serial order by id desc
          offset greatest(${n(9)}::integer - new.count, 0)
        )) from (select logger_serial, count(*) from unnest(${n(0)}::text[]) as logger_serial group by 1) as new
      )
    )`;
};

export const quarantineClauseParameters = (deliveries: readonly QuarantineEntry[]): unknown[] => [
  deliveries.map(({ loggerSerial }) => loggerSerial),
  deliveries.map(({ key }) => key),
  deliveries.map(({ reason }) => findingsToJson(reason)),
  deliveries.map(({ size }) => size),
  deliveries.map(({ body, readings }) => (readings ? body : body?.subarray(0, KEPT_BYTES)) ?? null),
  deliveries.map(({ readings }) => (readings ? new Date(readings.from) : null)),
  deliveries.map(({ readings }) => (readings ? new Date(readings.to) : null)),
  deliveries.map(({ readings }) => readings?.count ?? null),
  deliveries.map(({ objectId }) => objectId ?? null),
  QUARANTINE_PER_LOGGER,
];

export type QuarantinedDelivery = QuarantinedReadings & {
  readonly loggerSerial: string;
  readonly key: string;
  readonly receivedAt: number; // ms
  /** Null for a log file, whose content is in an object. */
  readonly body: Buffer | null;
  readonly objectId: string | null;
};

export async function readQuarantined(
  db: Database,
  loggerSerial: string,
  id: number,
): Promise<QuarantinedDelivery | undefined> {
  const { rows } = await db.query<QuarantinedDelivery>(
    `select logger_serial, key, body, object_id, held_count as count,
       extract(epoch from received_at)::float8 * 1000 as received_at,
       extract(epoch from held_from)::float8 * 1000 as "from", extract(epoch from held_to)::float8 * 1000 as "to"
     from quarantine where id = $2 and logger_serial = $1 and held_count is not null`,
    [loggerSerial, id],
  );
  return rows[0];
}

/** Quarantines one upload in a statement of its own, because its document is not committed in the same statement. */
export async function quarantineUpload(db: Database, delivery: QuarantineEntry): Promise<void> {
  await db.query(`with ${quarantineClausesSql(1)} select`, quarantineClauseParameters([delivery]));
}
