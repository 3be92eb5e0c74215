import type { Transaction } from '#server/platform/database.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { bindLogger, lockLogger } from './bind-logger.ts';
import { reviveKeys } from './keys.store.ts';

/** The logger that is bound to a stream again when the deleted stream is restored. */
export type ReboundLogger = {
  readonly loggerSerial: string;
  /**
   * Serial number or loggerid of the other stream to which the logger has been bound in the meantime; the logger is then not bound
   * again. undefined: it was free.
   */
  readonly takenBy: string | undefined;
  /** Whether the keys of the logger are active again. */
  readonly hasKeys: boolean;
};

type RestoredStream = {
  readonly streamId: number;
  readonly serial: string;
  readonly deletedAt: Date;
  /** E-mail of the administrator. */
  readonly actor: string;
};

/**
 * Restores the binding that a stream had when it was deleted, with the same keys and definition, so that the logger continues
 * without a change. Readings that were rejected in the meantime go to the stream; readings that the logger recorded for another
 * stream stay with that stream (resumeBinding). Call it before any other write (requireFreeLogger).
 * @returns undefined if the stream had no logger
 */
export async function rebindLogger(
  db: Transaction,
  { streamId, serial, deletedAt, actor }: RestoredStream,
  at: Date,
): Promise<ReboundLogger | undefined> {
  const { rows } = await db.query<{ id: number; loggerSerial: string }>(
    `select id, logger_serial from writer where stream_id = $1 and valid_to >= $2
     order by valid_to desc limit 1`,
    [streamId, deletedAt],
  );
  const had = rows[0];
  if (!had) return undefined;
  const { id, loggerSerial } = had;
  await lockLogger(db, loggerSerial);
  const takenBy = await presentSubject(db, loggerSerial);
  const writerId = await resumeBinding(db, { streamId, id, loggerSerial, endedAt: deletedAt, actor });
  if (takenBy !== undefined) return { loggerSerial, takenBy, hasKeys: false };
  await db.query(
    `insert into logger_event (writer_id, at, kind, detail) values ($1, $2, 'deleted', $4), ($1, $3, 'restored', $4)`,
    [writerId, deletedAt, at, serial],
  );
  return { loggerSerial, takenBy, hasKeys: await reviveKeys(db, id, writerId) };
}

/** Returns the serial number or loggerid of the stream for which a logger reports now. */
async function presentSubject(db: Transaction, loggerSerial: string): Promise<string | undefined> {
  const { rows } = await db.query<{ serial: string }>(
    `select s.serial from writer w join stream s on s.id = w.stream_id
     where w.logger_serial = $1 and w.valid_to = 'infinity'`,
    [loggerSerial],
  );
  return rows[0]?.serial;
}

type EndedBinding = {
  readonly id: number;
  readonly streamId: number;
  readonly loggerSerial: string;
  readonly endedAt: Date;
  /** E-mail of the administrator. */
  readonly actor: string;
};

/**
 * Undoes the end of a binding whose logger the caller has locked. If the logger was bound to other streams in the meantime, the binding
 * is extended to the start of the first of those bindings. If the last of them has ended, a new binding to this stream follows it.
 * @returns the id of the binding that is valid now; if the logger reports for another stream now, the given id
 */
export async function resumeBinding(
  db: Transaction,
  { id, streamId, loggerSerial, endedAt, actor }: EndedBinding,
): Promise<number> {
  // Times are read as text, because a Date would cut off the microseconds.
  const { rows: later } = await db.query<{ from: string; isPresent: boolean }>(
    `select valid_from::text as "from", valid_to = 'infinity' as is_present from writer
     where logger_serial = $1 and valid_from >= (select valid_to from writer where id = $2) order by valid_from`,
    [loggerSerial, id],
  );
  await db.query(`update writer set valid_to = coalesce($2::timestamptz, 'infinity') where id = $1`, [
    id,
    later[0]?.from,
  ]);
  if (later.length === 0 || later.at(-1)?.isPresent) return id;
  await bindLogger(db, { streamId, loggerSerial, referenceStreamId: undefined, at: endedAt, actor });
  return (await requireWriter(db, streamId)).id;
}
