import type { Transaction } from '#server/platform/database.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { bindLogger, lockLogger } from './bind-logger.ts';
import { reviveKeys } from './keys.store.ts';

/** What became of the logger that a stream had when it was deleted. */
export type Rebound = {
  readonly loggerSerial: string;
  /** Serial number or loggerid of what it reports for by now: then it stays there. */
  readonly takenBy: string | undefined;
  /** The keys that it had are in force again. */
  readonly hasKeys: boolean;
};

type Restored = {
  readonly streamId: number;
  readonly serial: string;
  readonly deletedAt: Date;
  /** The administrator's e-mail. */
  readonly actor: string;
};

/**
 * Takes back the end of the binding that a stream had when it was deleted: the same keys, the same definition, so that a
 * logger that never heard of it goes on. What it recorded meanwhile, and was refused, is the stream's; but what it recorded
 * for another one meanwhile stays there (resumeBinding). Before anything else is written (requireFreeLogger).
 * @returns undefined when it had no logger
 */
export async function rebindLogger(
  db: Transaction,
  { streamId, serial, deletedAt, actor }: Restored,
  at: Date,
): Promise<Rebound | undefined> {
  const { rows } = await db.query<{ id: number; loggerSerial: string }>(
    `select id, logger_serial as "loggerSerial" from writer where stream_id = $1 and valid_to >= $2
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

/** Returns the serial number or loggerid of what a logger reports for now. */
async function presentSubject(db: Transaction, loggerSerial: string): Promise<string | undefined> {
  const { rows } = await db.query<{ serial: string }>(
    `select s.serial from writer w join stream s on s.id = w.stream_id
     where w.logger_serial = $1 and w.valid_to = 'infinity'`,
    [loggerSerial],
  );
  return rows[0]?.serial;
}

type Ended = {
  readonly id: number;
  readonly streamId: number;
  readonly loggerSerial: string;
  readonly endedAt: Date;
  /** The administrator's e-mail. */
  readonly actor: string;
};

/**
 * Takes back the end of a binding whose logger the caller has locked. Where the logger reported for something else since,
 * the binding is extended to the begin of that one, and a second binding begins at its end.
 * @returns the id of the binding that is valid now: where the logger reports for something else, the one that was given
 */
export async function resumeBinding(
  db: Transaction,
  { id, streamId, loggerSerial, endedAt, actor }: Ended,
): Promise<number> {
  // As text: a Date would cut the microseconds off.
  const { rows: later } = await db.query<{ from: string; isPresent: boolean }>(
    `select valid_from::text as "from", valid_to = 'infinity' as "isPresent" from writer
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
