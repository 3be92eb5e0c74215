import type { Database, Transaction } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';

export type StreamKind = 'machine' | 'logger';

/** What was typed or sent, in the one spelling that is stored; text that no stream can have finds nothing. */
export const asSerial = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cc}|\p{Cs}/gu, '\uFFFD')
    .trim();

/** Upper and lower case are one serial number, as in the database's index. */
export const isSameSerial = (one: string, other: string): boolean =>
  asSerial(one).toLowerCase() === asSerial(other).toLowerCase();

/** What every stream has: a machine's serial number or an LMB logger's loggerid, its name, its first owner. */
export type NewStream = { readonly serial: string; readonly alias: string; readonly organizationId: number };

/** All of it in one transaction of the caller. @returns the stream's id, which is never reused */
export async function createStream(
  db: Database,
  kind: StreamKind,
  { serial, alias, organizationId }: NewStream,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    'insert into stream (kind, serial, alias) values ($1, $2, $3) returning id',
    [kind, serial, alias],
  );
  const streamId = rows[0]?.id as number;
  const shard = ofStream(db, streamId);
  await shard.query('insert into telemetry.latest (stream_id) values ($1)', [streamId]);
  await shard.query('insert into telemetry.day_cursor (stream_id) values ($1)', [streamId]);
  await db.query('insert into ownership (stream_id, organization_id) values ($1, $2)', [
    streamId,
    organizationId,
  ]);
  return streamId;
}

/** Two at once want one serial number or loggerid: the database gives it to one of them, the other gets `taken`. */
export async function orSerialTaken<T>(taken: () => Error, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'stream_serial') throw taken();
    throw error;
  }
}

/** The stream with that serial number or loggerid, in upper or lower case, that is not deleted. */
export async function findStream(db: Database, serial: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    'select id from stream where lower(serial) = lower($1) and deleted_at is null',
    [serial],
  );
  return rows[0]?.id;
}

export async function renameStream(
  db: Database,
  streamId: number,
  { serial, alias }: Pick<NewStream, 'serial' | 'alias'>,
): Promise<void> {
  await db.query('update stream set serial = $2, alias = $3 where id = $1', [streamId, serial, alias]);
}

/**
 * From `at` on a stream belongs to another organization; what came before stays with the one that had it then
 * (INGEST-06). In a transaction of the caller.
 */
export async function moveStream(
  db: Database,
  streamId: number,
  organizationId: number,
  at: Date,
): Promise<void> {
  // An interval is never empty: two moves in one instant leave a millisecond to the first.
  const { rows } = await db.query<{ from: string }>(
    `update ownership set valid_to = greatest($2::timestamptz, valid_from + interval '1 ms')
     where stream_id = $1 and valid_to = 'infinity' returning valid_to::text as from`,
    [streamId, at],
  );
  await db.query('insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)', [
    streamId,
    organizationId,
    rows[0]?.from,
  ]);
  await ofStream(db, streamId).query(
    'insert into telemetry.changed_history (stream_id, from_time) values ($1, $2)',
    [streamId, rows[0]?.from],
  );
}

/**
 * Of a stream that the caller has locked: its serial number is free at once, its readings stay until purge.ts. One that is
 * restored is looked at for alerts from then on.
 */
export async function deleteStream(db: Transaction, streamId: number, at: Date): Promise<void> {
  await db.query('update stream set deleted_at = $2 where id = $1', [streamId, at]);
  await db.query('delete from own_work_week where stream_id = $1', [streamId]);
  await db.query('delete from contact_use where stream_id = $1', [streamId]);
  await ofStream(db, streamId).query('delete from telemetry.alert_cursor where stream_id = $1', [streamId]);
}

/** Takes a deletion back. */
export async function restoreStream(db: Transaction, streamId: number): Promise<void> {
  await db.query('update stream set deleted_at = null where id = $1', [streamId]);
}
