import { audit } from '#server/platform/audit.ts';
import type { Database, Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { currentWriter } from '#server/streams/current-writer.ts';
import type { FormerLogger } from '#shared/contract/writers.ts';
import { kindOfLogger } from '#shared/domain/identifiers.ts';
import { lockLogger } from './bind-logger.ts';
import { reviveKeys } from './keys.store.ts';
import { CANEDGE_SETTINGS_HINT } from './new-settings.ts';
import { resumeBinding } from './rebind-logger.ts';
import { releaseWriter, removeUnusedWriter } from './writers.store.ts';

/** Number of days in which the end of a binding can be undone. */
const TAKE_BACK_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Returns the last binding of each logger that was released from a stream, or replaced, in the last 30 days, newest first.
 * Loggers that report for the stream now are left out.
 */
export async function formerLoggers(db: Database, streamId: number, now: Date): Promise<FormerLogger[]> {
  const { rows } = await db.query<{ id: number; loggerSerial: string; endedAt: Date; at: string | null }>(
    `select distinct on (w.logger_serial) w.id, w.logger_serial, w.valid_to as ended_at, s.serial as at
     from writer w
     left join writer c on c.logger_serial = w.logger_serial and c.valid_to = 'infinity'
     left join stream s on s.id = c.stream_id
     where w.stream_id = $1 and w.valid_to < 'infinity' and w.valid_to > $2::timestamptz - make_interval(days => $3)
       and c.stream_id is distinct from w.stream_id
     order by w.logger_serial, w.valid_to desc`,
    [streamId, now, TAKE_BACK_DAYS],
  );
  return rows
    .sort((one, other) => other.endedAt.getTime() - one.endedAt.getTime())
    .map(({ at, endedAt, ...logger }) => ({
      ...logger,
      endedAt: endedAt.toISOString(),
      until: new Date(endedAt.getTime() + TAKE_BACK_DAYS * DAY_MS).toISOString(),
      ...(at !== null && {
        obstacle: `Logger ${logger.loggerSerial} hoort nu bij ${at}. Koppel hem daar eerst los.`,
      }),
    }));
}

type TakeBack = {
  readonly streamId: number;
  readonly serial: string;
  readonly id: number;
  readonly at: Date;
  /** E-mail of the administrator. */
  readonly actor: string;
};

/**
 * Undoes the end of a binding and of its keys, so that the logger needs no new configuration. Releases the present logger, and deletes its
 * binding if it never sent anything, so that a mistyped number leaves no trace. The caller has locked the stream.
 * @returns the result, in Dutch
 * @throws ProblemError 404 if no such binding ended in the last 30 days, 409 if the logger reports for another stream
 */
export async function takeBackLogger(db: Transaction, takeBack: TakeBack): Promise<string> {
  const { streamId, serial, id, at, actor } = takeBack;
  const find = async () => (await formerLoggers(db, streamId, at)).find((former) => former.id === id);
  const named = await find();
  if (named) await lockLogger(db, named.loggerSerial);
  // Reads the binding again, because the logger may have been bound to another stream before the lock was acquired.
  const former = await find();
  if (!former) throw new ProblemError('not_found', 'Deze koppeling kan niet (meer) worden teruggezet.');
  const { loggerSerial, endedAt, obstacle } = former;
  if (obstacle !== undefined) throw new ProblemError('conflict', obstacle);
  const present = await currentWriter(db, streamId);
  if (present && !(await removeUnusedWriter(db, present.id))) await releaseWriter(db, streamId, at);
  const writerId = await resumeBinding(db, { streamId, id, loggerSerial, endedAt: new Date(endedAt), actor });
  await db.query(
    `insert into logger_event (writer_id, at, kind, detail) values ($1, $2, 'released', ''), ($1, $3, 'taken-back', '')`,
    [writerId, endedAt, at],
  );
  const hasKeys = await reviveKeys(db, id, writerId);
  const before = { logger: present?.loggerSerial };
  const entry = { actor, action: 'writer.take-back', subject: serial, streamId, data: {} } as const;
  await audit(db, { ...entry, before, after: { logger: loggerSerial } });
  const newKey =
    kindOfLogger(loggerSerial) === 'canedge'
      ? CANEDGE_SETTINGS_HINT
      : 'Geef hem een nieuw configuratiebestand.';
  return [
    `Logger ${loggerSerial} hoort weer bij ${serial}`,
    hasKeys ? ', met de sleutel die hij had.' : `. ${newKey}`,
    present ? ` Logger ${present.loggerSerial} is losgekoppeld.` : '',
  ].join('');
}
