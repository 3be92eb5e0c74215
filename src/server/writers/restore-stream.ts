import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { gracePeriodStart } from '#server/streams/purge.ts';
import { unknownStreamError } from '#server/streams/scope.ts';
import { restoreStream, type StreamKind, withSerialTakenError } from '#server/streams/streams.store.ts';
import { kindOfLogger } from '#shared/domain/identifiers.ts';
import { CANEDGE_SETTINGS_HINT } from './new-settings.ts';
import { type ReboundLogger, rebindLogger } from './rebind-logger.ts';

const DAY_MS = 86_400_000;
/** Largest value of an integer column. */
const MAX_STREAM_ID = 2 ** 31 - 1;

/** A deleted machine or LMB logger that can still be restored. */
export type DeletedStream = {
  readonly _id: number;
  readonly serial: string;
  readonly alias: string;
  readonly organization: string;
  readonly cleanorg: string;
  readonly deletedAt: Date;
  readonly serialTaken: boolean;
  readonly aliasTaken: boolean;
  /** Whether the stream's organization is being deleted. */
  readonly isLeaving: boolean;
};

/** Returns the streams that were deleted after `since`, newest first; with `id`, only that one. */
async function readDeleted(
  db: Database,
  kind: StreamKind,
  since: Date,
  id?: number,
): Promise<DeletedStream[]> {
  const { rows } = await db.query<DeletedStream>(
    `select s.id as "_id", s.serial, s.alias, o.name as organization, o.clean as cleanorg, s.deleted_at,
       exists (select from stream t where lower(t.serial) = lower(s.serial) and t.deleted_at is null) as serial_taken,
       s.kind = 'logger' and exists (
         select from stream t join ownership n on n.stream_id = t.id and n.valid_to = 'infinity'
         where t.kind = s.kind and n.organization_id = o.id and lower(t.alias) = lower(s.alias) and t.deleted_at is null
       ) as alias_taken,
       exists (select from leaving l where l.organization_id = o.id) as is_leaving
     from stream s
     join ownership r on r.stream_id = s.id and r.valid_to = 'infinity'
     join organization o on o.id = r.organization_id
     where s.kind = $1 and s.deleted_at > $2 and s.purged_at is null and ($3::integer is null or s.id = $3)
     order by s.deleted_at desc, s.id desc`,
    [kind, since, id],
  );
  return rows;
}

/** When a stream was deleted, when it expires, and in Dutch why it cannot be restored, if there is a reason. */
type RestoreDeadline = { readonly deletedAt: string; readonly removedAt: string; readonly obstacle?: string };

/** Returns the deleted streams of one kind, newest first (DELETED_DAYS is the grace period). */
export async function deletedStreams(
  db: Database,
  kind: StreamKind,
  now: Date,
  graceDays: number,
): Promise<
  (Omit<DeletedStream, keyof RestoreDeadline | 'serialTaken' | 'aliasTaken' | 'isLeaving'> &
    RestoreDeadline)[]
> {
  const deleted = await readDeleted(db, kind, gracePeriodStart(now, graceDays));
  return deleted.map((stream) => {
    const { serialTaken: _, aliasTaken: __, isLeaving: ___, deletedAt, ...entry } = stream;
    const obstacle = obstacleOf(kind, stream);
    return {
      ...entry,
      deletedAt: deletedAt.toISOString(),
      removedAt: new Date(deletedAt.getTime() + graceDays * DAY_MS).toISOString(),
      ...(obstacle !== undefined && { obstacle }),
    };
  });
}

function obstacleOf(kind: StreamKind, stream: DeletedStream): string | undefined {
  const { serial, alias, organization, serialTaken, aliasTaken, isLeaving } = stream;
  const number = kind === 'machine' ? 'serienummer' : 'loggerid';
  if (serialTaken) return `Het ${number} ${serial} is intussen van een andere machine.`;
  if (aliasTaken) return `De naam ${alias} is intussen van een andere LMB logger van deze organisatie.`;
  if (isLeaving) return `Organisatie ${organization} wordt verwijderd. Neem dat eerst terug.`;
  return undefined;
}

type Restore = {
  readonly kind: StreamKind;
  readonly streamId: number;
  /** E-mail of the administrator. */
  readonly actor: string;
  readonly now: Date;
  readonly graceDays: number;
};

/**
 * Restores a deleted stream with its history, and with its logger unless that reports for another stream now.
 * @returns the stream's serial number or loggerid, and in Dutch the result for its logger
 * @throws ProblemError 404 if unknown or too late, 409 if its serial number or name has been taken
 */
export function restoreDeleted(
  pool: Pool,
  { kind, streamId, actor, now, graceDays }: Restore,
): Promise<{ serial: string; logger: string }> {
  const taken = () => new ProblemError('conflict', 'Dit nummer is intussen van een andere machine.');
  return withSerialTakenError(taken, () =>
    inTransaction(pool, (client) =>
      restoreDeletedInTransaction(client, { kind, streamId, actor, now, graceDays }),
    ),
  );
}

/** Restores a deleted stream as restoreDeleted() does, in the caller's transaction. */
export async function restoreDeletedInTransaction(
  client: Transaction,
  { kind, streamId, actor, now, graceDays }: Restore,
): Promise<{ serial: string; logger: string }> {
  if (streamId < 1 || streamId > MAX_STREAM_ID) throw unknownStreamError([kind]);
  await client.query('select from stream where id = $1 for no key update', [streamId]);
  // Locks the organization, so that its names stay the same until the transaction ends.
  await client.query(
    `select from organization where id = (
           select organization_id from ownership where stream_id = $1 and valid_to = 'infinity'
         ) for no key update`,
    [streamId],
  );
  const [stream] = await readDeleted(client, kind, gracePeriodStart(now, graceDays), streamId);
  if (!stream) throw unknownStreamError([kind]);
  const obstacle = obstacleOf(kind, stream);
  if (obstacle !== undefined) throw new ProblemError('conflict', obstacle);
  const { serial, deletedAt } = stream;
  const rebound = await rebindLogger(client, { streamId, serial, deletedAt, actor }, now);
  await restoreStream(client, streamId);
  const action = kind === 'machine' ? 'machine.restore' : 'lmb-logger.restore';
  const data = { logger: rebound?.loggerSerial ?? null };
  const aside = { takenBy: rebound?.takenBy ?? null };
  await audit(client, { actor, action, subject: serial, streamId, data, aside });
  return { serial, logger: loggerText(rebound) };
}

function loggerText(rebound: ReboundLogger | undefined): string {
  if (!rebound) return '';
  const { loggerSerial, takenBy, hasKeys } = rebound;
  if (takenBy !== undefined) return ` Zonder logger: logger ${loggerSerial} hoort intussen bij ${takenBy}.`;
  if (!hasKeys && kindOfLogger(loggerSerial) === 'canedge')
    return ` Logger ${loggerSerial}: ${CANEDGE_SETTINGS_HINT}`;
  return hasKeys
    ? ` Logger ${loggerSerial} meldt zich weer met de sleutel die hij had.`
    : ` Geef logger ${loggerSerial} een nieuw configuratiebestand.`;
}
