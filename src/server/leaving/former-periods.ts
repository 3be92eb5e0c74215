import type { Caller } from '#server/auth/sessions.ts';
import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound } from '#server/platform/problem.ts';
import { ofStream } from '#server/platform/shards.ts';
import { alone } from '#server/redecoding/one-at-a-time.ts';
import { findStreamRow, lockStream } from '#server/streams/find-stream.ts';
import { FORGOTTEN_AFTER } from '#server/streams/purge.ts';
import type { FormerPeriod } from '#shared/contract/leaving.ts';
import { type Erased, eraseHistory } from './erase-history.ts';

/** The times at which a stream was a former owner's, in order. @throws ProblemError 404 */
export async function formerPeriods(db: Database, serial: string): Promise<FormerPeriod[]> {
  const { id: streamId } = await findStreamRow(db, serial);
  const { rows } = await db.query<
    Omit<FormerPeriod, 'from' | 'to' | 'readings'> & { from: number; to: number }
  >(
    `select w.id as "_id", o.clean as cleanorg, date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to",
       case when e.ownership_id is null then 'kept' when e.erased_at is null then 'erasing' else 'erased' end as state
     from ownership w join organization o on o.id = w.organization_id left join erased_period e on e.ownership_id = w.id
     where w.stream_id = $1 and w.valid_to < 'infinity' order by w.valid_from`,
    [streamId],
  );
  const periods: FormerPeriod[] = [];
  for (const { from, to, ...row } of rows) {
    const { rows: counted } = await ofStream(db, streamId).query<{ n: number }>(
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
 * Asks upkeep to erase one former owner's history of a stream, for good. Safe to repeat. The row of the log is the administrators' alone:
 * the former owner does not know the machine's number of today.
 * @throws ProblemError 404 for the stream, and for a period that is not a former owner's of it
 */
export const eraseFormerPeriod = (
  pool: Pool,
  { email: actor }: Caller,
  serial: string,
  id: number,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { id: streamId, serial: subject } = await lockStream(client, serial);
    const { rows } = await client.query<{ from: Date | number; to: Date; organization: string }>(
      `select nullif(w.valid_from, '-infinity') as "from", w.valid_to as "to", o.clean as organization
       from ownership w join organization o on o.id = w.organization_id
       where w.id = $1 and w.stream_id = $2 and w.valid_to < 'infinity'`,
      [id, streamId],
    );
    if (!rows[0]) throw notFound('Die periode is er niet.');
    if (!(await noteErasure(client, [id]))) return;
    const { from, to, organization } = rows[0];
    const data = { from, to, organization };
    await audit(client, { actor, action: 'history.erase', subject, streamId, organizationId: null, data });
  });

/** @returns how many were not noted yet */
export async function noteErasure(db: Database, ownershipIds: readonly number[]): Promise<number> {
  const { rowCount } = await db.query(
    'insert into erased_period (ownership_id) select unnest($1::integer[]) on conflict do nothing',
    [ownershipIds],
  );
  return rowCount ?? 0;
}

/**
 * Goes on with the periods that are to be erased, in the order in which they were asked for. A period that cannot be erased leaves its turn
 * to the next one. Safe to break off.
 * @param until performance.now(), after which nothing is begun
 * @returns what failed
 */
export async function erasePeriods(pool: Pool, now: number, until: number): Promise<Error[]> {
  const failures: Error[] = [];
  const { rows } = await pool.query<Erased & { id: number }>(
    `select w.id, w.stream_id as "streamId", w.organization_id as "organizationId",
       date_part('epoch', w.valid_from) * 1000 as "from", date_part('epoch', w.valid_to) * 1000 as "to"
     from erased_period e join ownership w on w.id = e.ownership_id 
     where e.erased_at is null and e.asked_at <= now() - interval '${FORGOTTEN_AFTER}' order by e.asked_at, w.id`,
  );
  for (const { id, ...erased } of rows) {
    if (performance.now() > until) break;
    // Nothing that was decoded or erased before is written back meanwhile.
    await alone(pool, erased.streamId, async () => {
      if (await eraseHistory(pool, erased, now, until))
        await pool.query('update erased_period set erased_at = now() where ownership_id = $1', [id]);
    }).catch((error: Error) => failures.push(error));
  }
  return failures;
}
