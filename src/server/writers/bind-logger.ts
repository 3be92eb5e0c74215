import {
  copyDefinition,
  definitionIdOf,
  setNextDefinition,
  setWriterDefinition,
} from '#server/definitions/definitions.store.ts';
import { ADVISORY_LOCK_KEYS } from '#server/platform/advisory-locks.ts';
import { audit } from '#server/platform/audit.ts';
import type { Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import { isSameSerial, normalizeSerial } from '#server/streams/streams.store.ts';
import { createWriter } from './writers.store.ts';

export type NewBinding = {
  readonly streamId: number;
  readonly loggerSerial: string;
  /** The stream of the reference machine that the caller names, whose data definition is copied; undefined: see definitionToCopy(). */
  readonly referenceStreamId: number | undefined;
  readonly at: Date;
  /** E-mail of the administrator. */
  readonly actor: string;
  /** Serial number or loggerid of the stream that the logger may be taken from. */
  readonly from?: string | undefined;
  /** Serial number of the logger that this one replaces. */
  readonly replaces?: string | undefined;
};

/** Locks a logger, so that no other transaction binds it. Callers must not have written before: see requireFreeLogger. */
export async function lockLogger(db: Transaction, loggerSerial: string): Promise<void> {
  await db.query('select pg_advisory_xact_lock($1, $2)', [
    ADVISORY_LOCK_KEYS.logger,
    Number.parseInt(loggerSerial, 16) | 0,
  ]);
}

/**
 * Binds a logger to a stream that the caller has locked. If the logger is bound to the stream already, only a missing definition is
 * added, so that repeating the call continues an interrupted creation.
 * @returns whether anything has changed
 * @throws ProblemError 409 if the logger reports for another stream, or if a logger other than `replaces` reports for this stream
 */
export async function bindLogger(db: Transaction, bind: NewBinding): Promise<boolean> {
  const { streamId, loggerSerial, referenceStreamId, at, actor, from, replaces } = bind;
  await requireFreeLogger(db, loggerSerial, streamId, from);
  const current = await currentWriter(db, streamId);
  const copied = await definitionToCopy(db, streamId, referenceStreamId);
  if (current?.loggerSerial === loggerSerial) {
    if (current.definitionId !== undefined || copied === undefined) return false;
    await setWriterDefinition(db, current.id, await copyDefinition(db, copied, { streamId, madeBy: actor }));
    return true;
  }
  if (current && current.loggerSerial !== replaces) throw alreadyBoundError(current.loggerSerial);
  await createWriter(db, { streamId, loggerSerial, definition: copied, at, actor });
  await setNextDefinition(db, streamId, undefined);
  return true;
}

/** Returns the error for a caller whose page does not show yet that this logger is bound to the stream. */
export const alreadyBoundError = (loggerSerial: string): ProblemError =>
  new ProblemError('conflict', `Hier hoort nu logger ${loggerSerial} bij. Laad de pagina opnieuw.`);

/**
 * Returns the definition to copy. First choice: that of the reference machine that the caller names, or that was chosen before any logger
 * was bound. Otherwise: the stream's own last definition. Otherwise: that of the machine's reference machine.
 */
async function definitionToCopy(
  db: Transaction,
  streamId: number,
  referenceStreamId: number | undefined,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number | null; chosen: boolean }>(
    'select reference_stream_id as id, takes_reference as chosen from machine where stream_id = $1',
    [streamId],
  );
  const { id = null, chosen = false } = rows[0] ?? {};
  const wanted = referenceStreamId ?? (chosen ? id : null);
  const theirs = wanted === null ? undefined : await definitionIdOf(db, wanted);
  const known = theirs ?? (await definitionIdOf(db, streamId));
  return known ?? (id === null ? undefined : definitionIdOf(db, id));
}

/**
 * Locks a logger, and requires that it reports for no stream other than `streamId`. The transaction must not have written before: a write
 * locks the row of one counter (telemetry/sql/directory-changed.sql), and a transaction that has locked it must not wait for a logger.
 * @param from the serial number or loggerid of the stream from which the logger may be taken (lockLoggerMove)
 * @throws ProblemError 409
 */
export async function requireFreeLogger(
  db: Transaction,
  loggerSerial: string,
  streamId: number | undefined,
  from?: string,
): Promise<void> {
  await lockLogger(db, loggerSerial);
  const { rows } = await db.query<{ id: number; kind: string; serial: string }>(
    `select s.id, s.kind, s.serial from writer w join stream s on s.id = w.stream_id
     where w.logger_serial = $1 and w.valid_to = 'infinity'`,
    [loggerSerial],
  );
  const other = rows[0];
  if (!other || other.id === streamId || (from !== undefined && isSameSerial(from, other.serial))) return;
  const whose = other.kind === 'machine' ? 'machine' : 'LMB logger';
  const message = `Logger ${loggerSerial} hoort bij ${whose} ${other.serial}. Koppel hem daar eerst los.`;
  throw new ProblemError('conflict', message, [{ field: 'influxserienummer', message, at: other.serial }]);
}

/** The move of a logger from a stream, which lockLoggerMove() has locked, to another stream. */
export type LoggerMove = {
  /** Writes an audit row about the former stream that the logger moved; does nothing if the logger no longer reported for that stream. */
  audit(actor: string, loggerSerial: string, to: string): Promise<void>;
};

/**
 * Locks the former and the new stream of a logger in the order of their ids, so that simultaneous moves cannot deadlock. Call it before any
 * other lock.
 * @param from the serial number or loggerid of the former stream; undefined: nothing is moved
 * @param to the serial number or loggerid of the new stream, if that stream exists already
 */
export async function lockLoggerMove(
  db: Transaction,
  from: string | undefined,
  to = '',
): Promise<LoggerMove | undefined> {
  if (!from) return undefined;
  const { rows } = await db.query<{ id: number; serial: string; logger: string | null }>(
    `with locked as (
       select id, serial from stream where lower(serial) in (lower($1), lower($2)) and deleted_at is null
       order by id for no key update
     )
     select l.id, l.serial, w.logger_serial as logger from locked l
     left join writer w on w.stream_id = l.id and w.valid_to = 'infinity'`,
    [normalizeSerial(from), normalizeSerial(to)],
  );
  const had = rows.find(({ serial }) => isSameSerial(serial, from));
  return {
    async audit(actor, loggerSerial, moved) {
      if (had?.logger !== loggerSerial || isSameSerial(had.serial, moved)) return;
      const { id: streamId, serial: subject } = had;
      const aside = { movedTo: moved };
      await audit(db, {
        actor,
        action: 'writer.release',
        subject,
        streamId,
        data: { logger: loggerSerial },
        aside,
      });
    },
  };
}
