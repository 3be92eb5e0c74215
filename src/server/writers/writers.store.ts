import {
  copyDefinition,
  createDefinition,
  type DefinitionAuthor,
} from '#server/definitions/definitions.store.ts';
import type { Database } from '#server/platform/database.ts';
import type { Definition } from '#shared/contract/definition.ts';
import { kindOfLogger } from '#shared/domain/identifiers.ts';
import { retireKeys } from './keys.store.ts';

export type NewWriter = {
  readonly streamId: number;
  /** Serial number of a ReXgen, or device id of a CANedge. */
  readonly loggerSerial: string;
  /** A definition, or the id of the definition to copy. */
  readonly definition?: Definition | number | undefined;
  /** When the logger began to report for this stream; the logger's earlier binding ends there. */
  readonly at: Date;
  /** E-mail of the administrator. */
  readonly actor?: string;
};

/**
 * Binds a logger to a stream: ends the earlier bindings of both, and copies the definition. The first binding of a logger has no
 * start, so that it includes older recordings (INGEST-06). A binding never overlaps an earlier one: if `at` lies before the end of
 * an earlier one, the binding starts at that end. Call it in a transaction.
 * @returns the writer's id
 */
export async function createWriter(db: Database, writer: NewWriter): Promise<number> {
  const { streamId, loggerSerial, definition, at, actor } = writer;
  // Times are read as text, because a Date would cut off the microseconds.
  const { rows: starts } = await db.query<{ start: string }>(
    `select greatest($3::timestamptz, max(valid_from) + interval '1 ms', max(valid_to) filter (where valid_to < 'infinity'))::text as start
     from writer where stream_id = $1 or logger_serial = $2`,
    [streamId, loggerSerial, at],
  );
  const start = starts[0]?.start as string;
  await endWriters(db, `(stream_id = $2 or logger_serial = $3)`, start, [streamId, loggerSerial]);
  const definitionId = await ownDefinition(db, { streamId, madeBy: actor }, definition);
  const { rows } = await db.query<{ id: number }>(
    `insert into writer (stream_id, logger_serial, definition_id, kind, valid_from)
     select $1, $2, $3, $5, case
       when exists (select from writer where logger_serial = $2) then $4::timestamptz
       else /*rule:reading-of-deleted-machine*/
         coalesce((select until from former_logger where logger_serial = $2), '-infinity') /*='-infinity'::timestamptz*/
     end
     returning id`,
    [streamId, loggerSerial, definitionId ?? null, start, kindOfLogger(loggerSerial)],
  );
  const writerId = rows[0]?.id as number;
  await db.query('insert into writer_health (writer_id) values ($1)', [writerId]);
  return writerId;
}

/**
 * Ends a stream's binding and retires its keys.
 * @returns whether the stream had a binding
 */
export function releaseWriter(db: Database, streamId: number, at: Date): Promise<boolean> {
  return endWriters(db, 'stream_id = $2', at, [streamId]);
}

async function endWriters(
  db: Database,
  which: string,
  at: Date | string,
  values: readonly unknown[],
): Promise<boolean> {
  const { rows } = await db.query<{ id: number }>(
    `update writer set valid_to = greatest($1::timestamptz, valid_from + interval '1 ms')
     where ${which} and valid_to = 'infinity' returning id`,
    [at, ...values],
  );
  const ended = rows.map(({ id }) => id);
  await retireKeys(db, ended);
  return ended.length > 0;
}

async function ownDefinition(
  db: Database,
  origin: DefinitionAuthor,
  definition: Definition | number | undefined,
): Promise<number | undefined> {
  if (definition === undefined) return undefined;
  return typeof definition === 'number'
    ? copyDefinition(db, definition, origin)
    : createDefinition(db, origin, definition);
}

/**
 * A past binding of a logger to a stream. `from`, `to`: its start and end by the portal's clock. `since`: the time from which the logger's
 * recordings belong to the stream. Times are text, because a Date would cut off the microseconds.
 */
export type FormerBinding = {
  readonly loggerSerial: string;
  readonly from: string;
  readonly to: string;
  readonly since: string;
};

/**
 * Deletes a binding whose logger never sent anything with it.
 * @returns whether the binding was deleted
 */
export async function removeUnusedWriter(db: Database, id: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from writer w join writer_health h on h.writer_id = w.id where w.id = $1 and h.last_seen_at is null
       and not exists (select from object o where o.logger_serial = w.logger_serial and o.log_stored_at >= w.created_at)`,
    [id],
  );
  if (!rowCount) return false;
  await removeParts(db, 'select $1::integer', id);
  await db.query('delete from writer where id = $1', [id]);
  return true;
}

/**
 * Deletes the keys, configurations and health of some bindings.
 * @param which SQL that selects the ids of these bindings, with `value` as $1
 */
async function removeParts(db: Database, which: string, value: number): Promise<void> {
  for (const table of ['writer_key', 'writer_health', 'logger_config', 'logger_event'])
    await db.query(`delete from ${table} where writer_id in (${which})`, [value]);
}

/**
 * Deletes the bindings of a stream that is purged, with their keys, configurations and health. Recordings that the stream's loggers made
 * before these bindings ended belong to no other stream (INGEST-06). Call it in a transaction.
 */
export async function removeWriters(db: Database, streamId: number): Promise<FormerBinding[]> {
  await db.query(
    `insert into former_logger (logger_serial, until)
     select logger_serial, max(valid_to) from writer where stream_id = $1 group by logger_serial
     on conflict (logger_serial) do update set until = greatest(former_logger.until, excluded.until)`,
    [streamId],
  );
  await removeParts(db, 'select id from writer where stream_id = $1', streamId);
  const { rows } = await db.query<FormerBinding>(
    `delete from writer where stream_id = $1 returning logger_serial, created_at::text as "from",
       valid_to::text as "to", valid_from::text as since`,
    [streamId],
  );
  return rows;
}
