import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { changeDm1InTransaction, removeDm1 } from '#server/telemetry/dm1/dm1.store.ts';
import {
  type Dm1Day,
  type Dm1Days,
  dm1DayKeyText,
  dm1DaysOutside,
  joinDays,
} from '#server/telemetry/dm1/dm1-days.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { ErasureRow } from './erasures.store.ts';

/** Removes the fault codes in the range of an erasure of all signals, and stores them for undoing. Safe to repeat. */
export const eraseDm1 = (pool: Pool, { id, streamId, from, to }: ErasureRow): Promise<void> =>
  inTransaction(pool, async (client) => {
    const taken = await removeDm1(client, streamId, { from, to });
    if (taken.size > 0) await keep(client, id, joinDays(await readKept(client, id), taken));
  });

/** Restores the fault codes of an erasure. */
export async function undoDm1(client: Transaction, { id, streamId }: ErasureRow): Promise<void> {
  const kept = await readKept(client, id);
  if (kept.size === 0) return;
  await changeDm1InTransaction(client, streamId, kept, (stored) => joinDays(stored, kept));
  await keep(client, id, new Map());
}

/** Permanently deletes the fault codes in a time range from the copies that the erasures of a stream keep for undoing. */
export async function deleteErasedDm1(client: Transaction, streamId: number, range: Range): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    'select id from erasure where stream_id = $1 and dm1 is not null order by id for update',
    [streamId],
  );
  for (const { id } of rows) await keep(client, id, dm1DaysOutside(await readKept(client, id), range));
}

async function readKept(client: Transaction, id: number): Promise<Dm1Days> {
  const { rows } = await client.query<{ dm1: readonly Dm1Day[] | null }>(
    'select dm1 from erasure where id = $1 for update',
    [id],
  );
  return new Map((rows[0]?.dm1 ?? []).map((day) => [dm1DayKeyText(day), day]));
}

const keep = (client: Transaction, id: number, days: Dm1Days) =>
  client.query('update erasure set dm1 = $2 where id = $1', [
    id,
    days.size === 0 ? null : JSON.stringify([...days.values()]),
  ]);
