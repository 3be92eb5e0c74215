import type { Database } from '#server/platform/database.ts';

/** Kept per logger; the oldest make room. */
const QUARANTINE_PER_LOGGER = 100;
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

/** As parts of a `with`, with the first parameter numbered `first`: keeps deliveries, in their order. */
export const quarantining = (first: number): string => {
  const n = (place: number) => `$${first + place}`;
  return `set_apart as (
      insert into quarantine (logger_serial, key, reason, size, body)
      select * from unnest(${n(0)}::text[], ${n(1)}::text[], ${n(2)}::text[], ${n(3)}::integer[], ${n(4)}::bytea[])
    ),
    made_room as (
      delete from quarantine where id in (
        select unnest(array(
          select id from quarantine where logger_serial = new.logger_serial order by id desc
          offset greatest(${n(5)}::integer - new.count, 0)
        )) from (select logger_serial, count(*) from unnest(${n(0)}::text[]) as logger_serial group by 1) as new
      )
    )`;
};

export const quarantineArguments = (deliveries: readonly Quarantined[]): unknown[] => [
  deliveries.map(({ loggerSerial }) => loggerSerial),
  deliveries.map(({ key }) => key),
  deliveries.map(({ reason }) => reason),
  deliveries.map(({ size }) => size),
  deliveries.map(({ body }) => body?.subarray(0, KEPT_BYTES) ?? null),
  QUARANTINE_PER_LOGGER,
];

/** Keeps one delivery whose document is not committed with it. */
export async function quarantine(db: Database, delivery: Quarantined): Promise<void> {
  await db.query(`with ${quarantining(1)} select`, quarantineArguments([delivery]));
}
