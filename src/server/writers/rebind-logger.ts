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
 * for another one meanwhile stays there: then the binding goes on as two, around that one. Before anything else is
 * written (requireFreeLogger).
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
  // As text: a Date would cut the microseconds off.
  const { rows: later } = await db.query<{ from: string; takenBy: string | null }>(
    `select w.valid_from::text as "from", case when w.valid_to = 'infinity' then s.serial end as "takenBy"
     from writer w join stream s on s.id = w.stream_id
     where w.logger_serial = $1 and w.valid_from >= (select valid_to from writer where id = $2) order by w.valid_from`,
    [loggerSerial, id],
  );
  const takenBy = later.at(-1)?.takenBy ?? undefined;
  await db.query(`update writer set valid_to = coalesce($2::timestamptz, 'infinity') where id = $1`, [
    id,
    later[0]?.from,
  ]);
  if (takenBy !== undefined) return { loggerSerial, takenBy, hasKeys: false };
  if (later.length > 0)
    await bindLogger(db, { streamId, loggerSerial, referenceStreamId: undefined, at: deletedAt, actor });
  const writerId = (await requireWriter(db, streamId)).id;
  await db.query(
    `insert into logger_event (writer_id, at, kind, detail) values ($1, $2, 'deleted', $4), ($1, $3, 'restored', $4)`,
    [writerId, deletedAt, at, serial],
  );
  return { loggerSerial, takenBy, hasKeys: await reviveKeys(db, id, writerId) };
}
