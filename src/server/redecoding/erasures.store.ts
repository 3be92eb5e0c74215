import { instantArray, textArray } from '#server/platform/binary-array.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { accountIdByEmailSql, accountNameSql } from '#server/platform/people.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { Erasure } from '#shared/contract/erasures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';

/** Number of days in which an erasure can be undone. */
export const UNDO_DAYS = 30;
const DAY_MS = 86_400_000;

/** A range to erase; `signal` undefined: all signals. */
export type ErasureRange = Range & { readonly signal: string | undefined };

/** An erasure, or its undoing, that is to be carried out. */
export type ErasureRow = {
  readonly id: number;
  readonly streamId: number;
  /** The range in milliseconds since 1970; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly signal: string | null;
  readonly state: Erasure['state'];
  /** Time in milliseconds since 1970 before which all readings of the range were erased; null if nothing was erased yet. */
  readonly doneUntil: number | null;
};

const ms = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;
const ROW = `id, stream_id, ${ms('from_time')} as "from", ${ms('to_time')} as "to", signal, state,
  case when isfinite(done_until) then ${ms('done_until')} end as done_until`;

export async function readErasure(db: Database, id: number): Promise<ErasureRow | undefined> {
  const { rows } = await db.query<ErasureRow>(`select ${ROW} from erasure where id = $1`, [id]);
  return rows[0];
}

/** Returns the erasures of a stream that can still be undone at `now`, newest first. */
export async function listErasures(db: Database, streamId: number, now: Date): Promise<Erasure[]> {
  type Row = Omit<Erasure, 'from' | 'to' | 'madeAt' | 'until'> & { from: Date; to: Date; madeAt: Date };
  const { rows } = await db.query<Row>(
    `select id, from_time as "from", to_time as "to", signal, ${accountNameSql('made_by')} as made_by, made_at, state,
       readings, values::float8 as values
     from erasure where stream_id = $1 and made_at > $2::timestamptz - make_interval(days => $3) order by made_at desc`,
    [streamId, now, UNDO_DAYS],
  );
  return rows.map(({ from, to, madeAt, ...erasure }) => ({
    ...erasure,
    from: from.toISOString(),
    to: to.toISOString(),
    madeAt: madeAt.toISOString(),
    until: new Date(madeAt.getTime() + UNDO_DAYS * DAY_MS).toISOString(),
  }));
}

/** Returns whether readings of the stream are being erased or restored. */
export async function isErasing(db: Database, streamId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from erasure where stream_id = $1 and state in ('waiting', 'running', 'undoing')`,
    [streamId],
  );
  return (rowCount ?? 0) > 0;
}

export async function addErasure(
  db: Transaction,
  streamId: number,
  { from, to, signal }: ErasureRange,
  madeBy: string,
  at: Date,
): Promise<number> {
  const { rows } = await db.query<{ id: number }>(
    `insert into erasure (stream_id, from_time, to_time, signal, made_by, made_at)
     values ($1, $2, $3, $4, ${accountIdByEmailSql('$5')}, $6) returning id`,
    [streamId, new Date(from), new Date(to), signal ?? null, madeBy, at],
  );
  return rows[0]?.id as number;
}

export async function setErasureState(db: Database, id: number, state: Erasure['state']): Promise<void> {
  await db.query('update erasure set state = $2 where id = $1', [id, state]);
}

/** Records that the readings before `until` (ms) were erased, and their number. */
export async function recordErasedReadings(
  db: Transaction,
  id: number,
  { until, readings, values }: { readonly until: number; readonly readings: number; readonly values: number },
): Promise<void> {
  await db.query(
    `update erasure set state = 'running', done_until = $2, readings = readings + $3, values = values + $4 where id = $1`,
    [id, new Date(until), readings, values],
  );
}

/** Stores erased readings for undoing. */
export async function storeErased(
  db: Transaction,
  streamId: number,
  id: number,
  erased: readonly Reading[],
): Promise<void> {
  await shardForStream(db, streamId).query(
    `insert into telemetry.erased_reading (stream_id, time, erasure_id, signals)
     select $1, time, $2, signals from unnest($3::timestamptz[], $4::jsonb[]) as e (time, signals)`,
    [
      streamId,
      id,
      instantArray(erased.map(({ time }) => time)),
      textArray(
        'jsonb',
        erased.map(({ signals }) => JSON.stringify(signals)),
      ),
    ],
  );
}

/** Removes and returns erased readings that an erasure stored: the earliest that is left, and those of less than `lengthMs` after it. */
export async function deleteAndReturnErasedReadings(
  db: Transaction,
  streamId: number,
  id: number,
  lengthMs: number,
): Promise<Reading[]> {
  const shard = shardForStream(db, streamId);
  const { rows: edges } = await shard.query<{ first: Date | null }>(
    `select min(time) as first from telemetry.erased_reading where stream_id = $1 and erasure_id = $2`,
    [streamId, id],
  );
  const first = edges[0]?.first;
  if (!first) return [];
  // Computes the end of the range here and not in SQL, because Citus refuses functions of a column's time in a DELETE.
  const { rows } = await shard.query<{ time: Date; signals: Signals }>(
    `delete from telemetry.erased_reading where stream_id = $1 and erasure_id = $2 and time < $3
     returning time, signals`,
    [streamId, id, new Date(first.getTime() + lengthMs)],
  );
  return rows
    .map(({ time, signals }) => ({ time: time.getTime(), signals }))
    .sort((one, other) => one.time - other.time);
}

/** Returns the display names of the owners of a stream in a range. */
export async function readOwnersDuring(
  db: Database,
  streamId: number,
  { from, to }: Range,
): Promise<string[]> {
  const { rows } = await db.query<{ owner: string }>(
    `select o.clean as owner from ownership w join organization o on o.id = w.organization_id
     where w.stream_id = $1 and w.valid_from < $3 and w.valid_to > $2 order by w.valid_from`,
    [streamId, new Date(from), new Date(to)],
  );
  return [...new Set(rows.map(({ owner }) => owner))];
}

/** Returns the names of the signals that a stream has sent, including those whose newest values were erased. */
export async function readSentSignalNames(db: Database, streamId: number): Promise<string[]> {
  const { rows } = await shardForStream(db, streamId).query<{ name: string }>(
    `select json_object_keys(signals) as name from telemetry.latest where stream_id = $1`,
    [streamId],
  );
  const erased = await db.query<{ name: string }>(
    'select distinct signal as name from erasure where stream_id = $1 and signal is not null',
    [streamId],
  );
  return [...new Set([...rows, ...erased.rows].map(({ name }) => name))].sort();
}

/** Deletes erasures that can no longer be undone. */
export async function deleteErasures(db: Database): Promise<void> {
  const { rows } = await db.query<{ id: number; streamId: number }>(
    `select id, stream_id from erasure where made_at < now() - make_interval(days => $1)`,
    [UNDO_DAYS],
  );
  for (const { id, streamId } of rows) {
    await shardForStream(db, streamId).query(
      'delete from telemetry.erased_reading where stream_id = $1 and erasure_id = $2',
      [streamId, id],
    );
    await db.query('delete from erasure where id = $1', [id]);
  }
}
