import { audit } from '#server/platform/audit.ts';
import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { notFound, ProblemError } from '#server/platform/problem.ts';
import { graceStart } from '#server/streams/purge.ts';
import { orSerialTaken, restoreStream } from '#server/streams/streams.store.ts';
import { bindLogger, requireFreeLogger } from '#server/writers/bind-logger.ts';
import type { DeletedMachine } from '#shared/contract/machines.ts';
import { serialTaken } from './create-machine.ts';

const DAY_MS = 86_400_000;
/** Of an integer column. */
const LARGEST_ID = 2 ** 31 - 1;
const tooLate = () => notFound('Deze machine is niet te herstellen.');

type Deleted = Omit<DeletedMachine, 'deletedAt' | 'removedAt' | 'obstacle'> & {
  readonly deletedAt: Date;
  /** The logger that reported for it when it was deleted. */
  readonly loggerSerial: string | null;
  readonly serialTaken: boolean;
  /** The machine or LMB logger for which its logger reports now. */
  readonly loggerTakenBy: string | null;
};

/** Machines deleted after `since`, newest first; with `id`, that one. */
async function readDeleted(db: Database, since: Date, id?: number): Promise<Deleted[]> {
  const { rows } = await db.query<Deleted>(
    `select s.id as "_id", m.brand, s.alias, m.model, s.serial as "serialNumber", o.name as organization, o.clean as cleanorg,
       s.deleted_at as "deletedAt", w.logger_serial as "loggerSerial",
       exists (select from stream t where lower(t.serial) = lower(s.serial) and t.deleted_at is null) as "serialTaken",
       (select t.serial from writer n join stream t on t.id = n.stream_id
        where n.logger_serial = w.logger_serial and n.valid_to = 'infinity') as "loggerTakenBy"
     from stream s
     join machine m on m.stream_id = s.id
     join ownership r on r.stream_id = s.id and r.valid_to = 'infinity'
     join organization o on o.id = r.organization_id
     left join writer w on w.stream_id = s.id and w.valid_to >= s.deleted_at
     where s.deleted_at > $1 and s.purged_at is null and ($2::integer is null or s.id = $2)
     order by s.deleted_at desc, s.id desc`,
    [since, id],
  );
  return rows;
}

/** Machines that can be restored, or why not (DELETED_DAYS is the grace period). */
export async function deletedMachines(db: Database, now: Date, graceDays: number): Promise<DeletedMachine[]> {
  const deleted = await readDeleted(db, graceStart(now, graceDays));
  return deleted.map((machine) => {
    const { loggerSerial: _, serialTaken: __, loggerTakenBy: ___, deletedAt, ...entry } = machine;
    const obstacle = obstacleOf(machine);
    return {
      ...entry,
      deletedAt: deletedAt.toISOString(),
      removedAt: new Date(deletedAt.getTime() + graceDays * DAY_MS).toISOString(),
      ...(obstacle !== undefined && { obstacle }),
    };
  });
}

function obstacleOf({ serialNumber, serialTaken, loggerSerial, loggerTakenBy }: Deleted): string | undefined {
  if (serialTaken) return `Het serienummer ${serialNumber} is intussen van een andere machine.`;
  if (loggerTakenBy !== null) return `Logger ${loggerSerial} hoort intussen bij ${loggerTakenBy}.`;
  return undefined;
}

/**
 * Takes back a deletion. The logger that it had reports for it again, from the moment of the deletion on, so that
 * nothing is missing that it recorded meanwhile; it needs a new key.
 * @returns its serial number
 * @throws ProblemError 404 unknown or too late, 409 its serial number or logger has been taken
 */
export function restoreMachine(
  pool: Pool,
  actor: string,
  streamId: number,
  now: Date,
  graceDays: number,
): Promise<string> {
  return orSerialTaken(serialTaken, () =>
    inTransaction(pool, async (client) => {
      if (streamId < 1 || streamId > LARGEST_ID) throw tooLate();
      await client.query('select from stream where id = $1 for no key update', [streamId]);
      const [machine] = await readDeleted(client, graceStart(now, graceDays), streamId);
      if (!machine) throw tooLate();
      const obstacle = obstacleOf(machine);
      if (obstacle !== undefined) throw new ProblemError('conflict', obstacle);
      const { serialNumber, loggerSerial, deletedAt } = machine;
      if (loggerSerial !== null) await requireFreeLogger(client, loggerSerial, streamId);
      await restoreStream(client, streamId);
      if (loggerSerial !== null) {
        await bindLogger(client, {
          streamId,
          loggerSerial,
          referenceStreamId: undefined,
          at: deletedAt,
          actor,
        });
      }
      const data = { streamId, logger: loggerSerial };
      await audit(client, { actor, action: 'machine.restore', subject: serialNumber, data });
      return serialNumber;
    }),
  );
}
