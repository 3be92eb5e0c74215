import type { Database } from '#server/platform/database.ts';

/** Kept per logger; the oldest make room. */
export const QUARANTINE_PER_LOGGER = 100;
/** Enough to see what is wrong with a delivery. */
const KEPT_BYTES = 64 * 1024;

/** A well-signed delivery, or a reading of one, that cannot become history. `reason` is Dutch, for people. */
export type Quarantined = {
  readonly loggerSerial: string;
  readonly key: string;
  readonly reason: string;
  readonly size: number;
  readonly body: Buffer | undefined;
};

export async function quarantine(
  db: Database,
  { loggerSerial, key, reason, size, body }: Quarantined,
): Promise<void> {
  await db.query(
    `with stored as (
       insert into quarantine (logger_serial, key, reason, size, body) values ($1, $2, $3, $4, $5) returning id
     )
     delete from quarantine where id in (
       select id from quarantine where logger_serial = $1 order by id desc offset $6
     )`,
    [loggerSerial, key, reason, size, body?.subarray(0, KEPT_BYTES) ?? null, QUARANTINE_PER_LOGGER - 1],
  );
}
