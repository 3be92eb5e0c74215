import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { isPermanent } from '#server/platform/job-failure.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { countReadings } from '#server/streams/count-readings.ts';
import { findStreamRow, lockStream, type StreamRow } from '#server/streams/find-stream.ts';
import { readFirstReadingTime } from '#server/telemetry/readings/read-edges.ts';
import { readStoredReadings } from '#server/telemetry/readings/stored-readings.ts';
import type { ErasurePreview, Erasures as ErasuresView } from '#shared/contract/erasures.ts';
import { eraseNextReadings, restoreNextReadings, signalsToErase } from './erase-readings.ts';
import { eraseDm1 } from './erased-dm1.ts';
import {
  addErasure,
  type ErasureRange,
  type ErasureRow,
  isErasing,
  listErasures,
  readErasure,
  readOwnersDuring,
  readSentSignalNames,
  setErasureState,
} from './erasures.store.ts';
import { withHistoryLock } from './history-lock.ts';
import { readRedecoding } from './redecoding.store.ts';
import { REPLACEMENT_WINDOW_MS } from './replace-readings.ts';

/** A request, with ISO times. */
type Asked = {
  readonly serial: string;
  readonly from: string;
  readonly to: string;
  readonly signal?: string | undefined;
};

/** Erases a range of the readings of a machine or LMB logger, and undoes erasures. */
export type Erasures = {
  view(serial: string): Promise<ErasuresView>;
  /**
   * Counts the readings that an erasure would delete. @throws ProblemError 400 for an invalid range, 404 for an unknown serial
   * number
   */
  preview(asked: Asked): Promise<ErasurePreview>;
  /** Starts an erasure. @throws ProblemError as preview; 409 for a range without readings, or when the history is being rewritten */
  begin(actor: string, asked: Asked): Promise<ErasuresView>;
  /** Undoes an erasure. @throws ProblemError 404 when unknown, undone or too late; 409 when the history is being rewritten */
  undo(actor: string, serial: string, id: number): Promise<ErasuresView>;
  /** Stops the work of this process; another process, or the next start, continues it. */
  close(): void;
};

const POLICY = { retries: 1_000, firstRetryS: 1, longestRetryS: 60, atOnce: 1 };
/** Maximum number of readings of a range in which a preview counts the values of one signal. */
const COUNTED = 200_000;

type Parts = { readonly pool: Pool; readonly jobs: Jobs; readonly now: () => number };

export async function openErasures({ pool, jobs, now }: Parts): Promise<Erasures> {
  let closed = false;
  const throwIfClosed = (): void => {
    if (closed) throw new Error('The portal stops.');
  };
  const queue = await jobs.queue<{ id: number }>('erase', POLICY, async ({ id }) => {
    const row = await readErasure(pool, id);
    if (!row || !['waiting', 'running', 'undoing'].includes(row.state)) return;
    await withHistoryLock(pool, row.streamId, () => work(pool, row, now, throwIfClosed)).catch(
      async (error: Error) => {
        if (isPermanent(error)) await setErasureState(pool, id, 'failed');
        throw error;
      },
    );
  });
  const viewOf = async (db: Pool | Transaction, { id }: StreamRow): Promise<ErasuresView> => ({
    erasures: await listErasures(db, id, new Date(now())),
    signals: await readSentSignalNames(db, id),
  });
  return {
    view: async (serial) => viewOf(pool, await findStreamRow(pool, serial)),
    async preview(asked) {
      const range = readErasureRange(asked, now());
      const { id } = await findStreamRow(pool, asked.serial);
      const readings = await countReadings(pool, id, range);
      const isCounted = range.signal !== undefined && readings <= COUNTED;
      return {
        readings,
        values: isCounted ? await countSignal(pool, id, range) : null,
        owners: await readOwnersDuring(pool, id, range),
      };
    },
    begin: (actor, asked) =>
      inTransaction(pool, async (client) => {
        const range = readErasureRange(asked, now());
        const stream = await lockStream(client, asked.serial);
        await requireQuiet(client, stream.id);
        if ((await readFirstReadingTime(client, { streamId: stream.id, ...range })) === undefined)
          throw new ProblemError('conflict', 'Er zijn geen metingen in deze tijd.');
        const id = await addErasure(client, stream.id, range, actor, new Date(now()));
        const { from, to, signal } = asked;
        const data = { erased: signal ?? 'alles', from, to };
        const entry = { actor, subject: stream.serial, streamId: stream.id, data } as const;
        await audit(client, { ...entry, action: 'readings.erase' });
        await queue.add(client, { id });
        return viewOf(client, stream);
      }),
    undo: (actor, serial, id) =>
      inTransaction(pool, async (client) => {
        const stream = await lockStream(client, serial);
        const known = (await listErasures(client, stream.id, new Date(now()))).find((one) => one.id === id);
        if (!known || known.state === 'undone')
          throw new ProblemError('not_found', 'Dit kan niet (meer) worden teruggezet.');
        await requireQuiet(client, stream.id);
        await setErasureState(client, id, 'undoing');
        const { from, to, signal } = known;
        const data = { erased: signal ?? 'alles', from, to };
        const entry = { actor, subject: stream.serial, streamId: stream.id, data } as const;
        await audit(client, { ...entry, action: 'readings.put-back' });
        await queue.add(client, { id });
        return viewOf(client, stream);
      }),
    close() {
      closed = true;
    },
  };
}

async function work(
  pool: Pool,
  row: ErasureRow,
  now: () => number,
  throwIfClosed: () => void,
): Promise<void> {
  if (row.state === 'undoing') {
    do throwIfClosed();
    while (await restoreNextReadings(pool, row, now()));
    return;
  }
  let cursor: number | undefined = row.doneUntil ?? row.from;
  while (cursor !== undefined) {
    throwIfClosed();
    cursor = await eraseNextReadings(pool, row, cursor, now());
  }
  if (row.signal === null) await eraseDm1(pool, row);
  await setErasureState(pool, row.id, 'done');
}

function readErasureRange({ from, to, signal }: Asked, now: number): ErasureRange {
  const range = { from: Date.parse(from), to: Date.parse(to), signal };
  if (range.from >= range.to) throw invalidInputError('Het eind ligt niet na het begin.');
  if (range.from > now) throw invalidInputError('Het begin ligt in de toekomst.');
  return range;
}

/** Requires that the stream's history is not being rewritten. @throws ProblemError 409 */
async function requireQuiet(db: Transaction, streamId: number): Promise<void> {
  const redecoding = await readRedecoding(db, streamId);
  if (redecoding?.state === 'waiting' || redecoding?.state === 'running')
    throw new ProblemError(
      'conflict',
      'De logbestanden worden nu opnieuw gedecodeerd. Wacht tot dat klaar is.',
    );
  if (await isErasing(db, streamId))
    throw new ProblemError('conflict', 'Er worden nu metingen gewist of teruggezet. Wacht tot dat klaar is.');
}

async function countSignal(pool: Pool, streamId: number, { to, ...range }: ErasureRange): Promise<number> {
  let found = 0;
  let cursor: number | undefined = range.from;
  for (;;) {
    cursor = await readFirstReadingTime(pool, { streamId, from: cursor, to });
    if (cursor === undefined) return found;
    const until = Math.min(cursor + REPLACEMENT_WINDOW_MS, to);
    const readings = await readStoredReadings(pool, streamId, { from: cursor, to: until });
    found += readings.filter(
      ({ signals }) => Object.keys(signalsToErase(signals, range.signal)).length > 0,
    ).length;
    cursor = until;
  }
}
