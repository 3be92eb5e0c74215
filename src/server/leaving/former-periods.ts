import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { withHistoryLock } from '#server/redecoding/history-lock.ts';
import { findStreamRow, lockStream } from '#server/streams/find-stream.ts';
import { CACHE_EXPIRY_INTERVAL_SQL } from '#server/streams/purge.ts';
import type { FormerOwnershipPeriod } from '#shared/contract/leaving.ts';
import { type ErasedPeriod, eraseHistory } from './erase-history.ts';

/**
 * Returns the times in which a stream belonged to former owners, in order.
 * @throws ProblemError 404
 */
export async function formerPeriods(db: Database, serial: string): Promise<FormerOwnershipPeriod[]> {
  const { id: streamId } = await findStreamRow(db, serial);
  const { rows } = await db.query<
    Omit<FormerOwnershipPeriod, 'from' | 'to' | 'readings'> & { from: number; to: number }
  >(
    `select w.id as "_id", o.clean as cleanorg, date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to",
       case when e.ownership_id is null then 'kept' when e.erased_at is null then 'erasing' else 'erased' end as state
     from ownership w join organization o on o.id = w.organization_id left join erased_period e on e.ownership_id = w.id
     where w.stream_id = $1 and w.valid_to < 'infinity' order by w.valid_from`,
    [streamId],
  );
  const periods: FormerOwnershipPeriod[] = [];
  for (const { from, to, ...row } of rows) {
    const { rows: counted } = await shardForStream(db, streamId).query<{ n: number }>(
      `select coalesce(sum(count), 0)::float8 as n from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3`,
      [streamId, Number.isFinite(from) ? new Date(from) : '-infinity', new Date(to)],
    );
    periods.push({
      ...row,
      from: Number.isFinite(from) ? new Date(from).toISOString() : null,
      to: new Date(to).toISOString(),
      readings: counted[0]?.n ?? 0,
    });
  }
  return periods;
}

/**
 * Requests upkeep to erase one former owner's history of a stream permanently. Idempotent. Only administrators see the audit row,
 * because the former owner does not know the machine's present number.
 * @throws ProblemError 404 for the stream, and for a period that is not one of a former owner
 */
export const requestFormerPeriodErasure = (
  pool: Pool,
  { email: actor }: Caller,
  serial: string,
  id: number,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { id: streamId, serial: subject } = await lockStream(client, serial);
    const { rows } = await client.query<{ from: Date | null; to: Date; organization: string }>(
      `select nullif(w.valid_from, '-infinity') as "from", w.valid_to as "to", o.clean as organization
       from ownership w join organization o on o.id = w.organization_id
       where w.id = $1 and w.stream_id = $2 and w.valid_to < 'infinity'`,
      [id, streamId],
    );
    if (!rows[0]) throw notFound('Die periode is er niet.');
    if (!(await requestErasure(client, [id]))) return;
    const { from, to, organization } = rows[0];
    const data = { from, to, organization };
    await audit(client, { actor, action: 'history.erase', subject, streamId, organizationId: null, data });
  });

/** Requests the erasure of periods. @returns how many of these were not requested before */
export async function requestErasure(db: Database, ownershipIds: readonly number[]): Promise<number> {
  const { rowCount } = await db.query(
    'insert into erased_period (ownership_id) select unnest($1::integer[]) on conflict do nothing',
    [ownershipIds],
  );
  return rowCount ?? 0;
}

/**
 * Continues the erasure of periods, in the order of the requests. A period that fails does not block the next one. Safe to
 * interrupt.
 * @param until value of performance.now() after which no further work begins
 * @returns the errors
 */
export async function erasePeriods(pool: Pool, now: number, until: number): Promise<Error[]> {
  const failures: Error[] = [];
  const { rows } = await pool.query<ErasedPeriod & { id: number }>(
    `select w.id, w.stream_id, w.organization_id,
       date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to"
     from erased_period e join ownership w on w.id = e.ownership_id 
     where e.erased_at is null and e.asked_at <= now() - interval '${CACHE_EXPIRY_INTERVAL_SQL}' order by e.asked_at, w.id`,
  );
  for (const { id, ...erased } of rows) {
    if (performance.now() > until) break;
    // The lock keeps other work from writing back decoded or erased readings.
    await withHistoryLock(pool, erased.streamId, async () => {
      if (await eraseHistory(pool, erased, now, until))
        await pool.query('update erased_period set erased_at = now() where ownership_id = $1', [id]);
    }).catch((error: Error) => failures.push(error));
  }
  return failures;
}
