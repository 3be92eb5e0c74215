import type { Database, Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';

export type StreamKind = 'machine' | 'logger';

/**
 * Returns a typed or received serial in the spelling that is stored. Characters that no serial can have are replaced,
 * so that such a text finds nothing.
 */
export const normalizeSerial = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cc}|\p{Cs}/gu, '\uFFFD')
    .trim();

/** Returns whether two serial numbers are the same, ignoring case like the database's index. */
export const isSameSerial = (one: string, other: string): boolean =>
  normalizeSerial(one).toLowerCase() === normalizeSerial(other).toLowerCase();

/** Fields of every stream: serial number of a machine or loggerid of an LMB logger, name, and first owner. */
export type NewStream = { readonly serial: string; readonly alias: string; readonly organizationId: number };

/** Creates a stream in the caller's transaction. @returns the stream's id, which is never reused */
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
  const shard = shardForStream(db, streamId);
  await shard.query('insert into telemetry.latest (stream_id) values ($1)', [streamId]);
  await shard.query('insert into telemetry.day_cursor (stream_id) values ($1)', [streamId]);
  await db.query('insert into ownership (stream_id, organization_id) values ($1, $2)', [
    streamId,
    organizationId,
  ]);
  return streamId;
}

/**
 * Runs `work`. Throws the error of `taken` when the database already has the serial number or loggerid, for example from a
 * concurrent call.
 */
export async function withSerialTakenError<T>(taken: () => Error, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === 'stream_serial') throw taken();
    throw error;
  }
}

/** Returns the stream with this serial number or loggerid, ignoring case, unless it is deleted. */
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
 * Transfers a stream to another organization at `at`, in the caller's transaction; its earlier history stays with the
 * former owner (INGEST-06).
 */
export async function moveStream(
  db: Database,
  streamId: number,
  organizationId: number,
  at: Date,
): Promise<void> {
  // An ownership is never empty: if two transfers happen at the same instant, the first ownership lasts a millisecond.
  const { rows } = await db.query<{ from: string }>(
    `update ownership set valid_to = greatest($2::timestamptz, valid_from + interval '1 ms')
     where stream_id = $1 and valid_to = 'infinity' returning valid_to::text as from`,
    [streamId, at],
  );
  if (!rows[0]) throw new Error(`Stream ${streamId} has no owner.`);
  const { from } = rows[0];
  await db.query('insert into ownership (stream_id, organization_id, valid_from) values ($1, $2, $3)', [
    streamId,
    organizationId,
    from,
  ]);
  await shardForStream(db, streamId).query(
    'insert into telemetry.changed_history (stream_id, from_time) values ($1, $2)',
    [streamId, from],
  );
}

/**
 * Deletes a stream that the caller has locked. Another stream can get its serial number immediately; its readings stay until
 * purge.ts deletes them. If the stream is restored, its alerts are evaluated from the restoration on.
 */
export async function deleteStream(db: Transaction, streamId: number, at: Date): Promise<void> {
  await db.query('update stream set deleted_at = $2 where id = $1', [streamId, at]);
  await db.query('delete from own_work_week where stream_id = $1', [streamId]);
  await db.query('delete from contact_use where stream_id = $1', [streamId]);
  await shardForStream(db, streamId).query('delete from telemetry.alert_cursor where stream_id = $1', [
    streamId,
  ]);
}

/** Undoes a deletion. */
export async function restoreStream(db: Transaction, streamId: number): Promise<void> {
  await db.query('update stream set deleted_at = null where id = $1', [streamId]);
}
