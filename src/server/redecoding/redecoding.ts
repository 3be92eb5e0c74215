import { LOCKS } from '#server/platform/advisory-locks.ts';
import { audit } from '#server/platform/audit.ts';
import { inTransaction, type Pool } from '#server/platform/database.ts';
import { isPermanent } from '#server/platform/job-failure.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import type { LogQueue } from '#server/telemetry/log-queue.ts';
import { type StoredLog, storedLogs } from '#server/telemetry/objects.store.ts';
import type { Redecoding } from '#shared/contract/definition.ts';
import {
  beginRedecoding,
  clearStaged,
  endFormerDefinitions,
  noteRedecoding,
  type Outcome,
  periodsOf,
  type RedecodingRow,
  readRedecoding,
  redecodingView,
} from './redecoding.store.ts';
import { replaceNext } from './replace-readings.ts';
import { type RedecodingParts, type StagingRun, stageFile } from './stage-files.ts';

/** 'Decodeer logbestanden opnieuw': what stored log files brought is replaced by what a later definition makes of them. */
export type Redecodings = {
  /** @throws ProblemError 404, 409 no logger, no definition, or one is under way */
  begin(actor: string, request: Request): Promise<Redecoding | null>;
  /** Leaves what is under way; another process, or the next start, does it again. */
  close(): void;
};

type Request = { readonly serial: string; readonly preview: boolean; readonly from?: string | undefined };

/**
 * Until it is done: a process that is stopped on the way leaves it to be tried again, and so does a busy one. Each holds
 * a connection of those for pages.
 */
const POLICY = { retries: 1_000, firstRetryS: 1, longestRetryS: 60, atOnce: 2 };
const NOTHING: Outcome = { readings: { added: 0, changed: 0, removed: 0 }, signals: {} };

type Parts = RedecodingParts & { readonly jobs: Jobs; readonly logs: LogQueue };

export async function openRedecodings(parts: Parts): Promise<Redecodings> {
  const { pool } = parts;
  let closed = false;
  const goOn = (): void => {
    if (closed) throw new Error('The portal stops.');
  };
  const queue = await parts.jobs.queue<{ streamId: number; startedAt: string }>(
    'redecode',
    POLICY,
    async ({ streamId, startedAt }) => {
      const row = await readRedecoding(pool, streamId);
      if (row?.startedAt !== startedAt || row.state === 'done' || row.state === 'failed') return;
      await alone(pool, streamId, () => redecode(parts, row, goOn)).catch(async (error: Error) => {
        if (isPermanent(error)) {
          await clearStaged(pool, streamId);
          await noteRedecoding(pool, row, { state: 'failed' });
        }
        throw error;
      });
    },
  );
  return {
    begin: (actor, { serial, preview, from = '-infinity' }) =>
      inTransaction(pool, async (client) => {
        const stream = await lockStream(client, serial);
        const { id: writerId, definitionId } = await requireWriter(client, stream.id);
        if (definitionId === undefined) throw new ProblemError('conflict', 'Upload eerst een DBC-bestand.');
        const before = await readRedecoding(client, stream.id);
        if (before && (before.state === 'waiting' || before.state === 'running'))
          throw new ProblemError('conflict', 'De logbestanden worden al opnieuw gedecodeerd.');
        // One that failed may have replaced a part already.
        const unfinished = before?.state === 'failed' && !before.preview ? before.former : [];
        const former = [...unfinished, ...(await periodsOf(client, writerId))];
        const begun = { streamId: stream.id, writerId, definitionId, former, preview, startedBy: actor };
        const since = from === '-infinity' ? from : new Date(from);
        const startedAt = await beginRedecoding(client, { ...begun, from: since });
        if (!preview) {
          await endFormerDefinitions(client, writerId, since);
          const data = { version: definitionId, ...(from !== '-infinity' && { from }) };
          await audit(client, {
            actor,
            action: 'dbc.redecode',
            subject: stream.serial,
            streamId: stream.id,
            data,
          });
        }
        await queue.add(client, { streamId: stream.id, startedAt });
        return redecodingView(client, stream.id);
      }),
    close() {
      closed = true;
    },
  };
}

/** One process at a time works on a stream. @throws when another one is at it: to be asked for again */
async function alone(pool: Pool, streamId: number, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [
      LOCKS.redecoding,
      streamId,
    ]);
    if (!rows[0]?.mine) throw new Error('Another process decodes these log files.');
    await work();
  } finally {
    // The lock goes with its connection.
    client.release(true);
  }
}

/**
 * Reads the files one by one, taking turns with those that loggers upload, and then replaces what they had brought. The
 * logger's own uploads wait for that second part: a file that came in since the first one is read in it.
 */
async function redecode(parts: Parts, row: RedecodingRow, goOn: () => void): Promise<void> {
  const { pool, logs, now } = parts;
  const { streamId, loggerSerial } = row;
  const run: StagingRun = { findings: new Set(), staged: 0 };
  const done = new Set<string>();
  const inTurn = (work: (giveWay: () => Promise<void>) => Promise<void>): Promise<void> =>
    logs.run(loggerSerial, (giveWay) =>
      work(async () => {
        goOn();
        await giveWay();
      }),
    );
  const stageOne = async (log: StoredLog, giveWay: () => Promise<void>): Promise<void> => {
    await stageFile(parts, row, log, run, giveWay);
    done.add(log.id);
    await noteRedecoding(pool, row, { state: 'running', filesDone: done.size, findings: [...run.findings] });
  };
  await clearStaged(pool, streamId);
  const files = await storedLogs(pool, loggerSerial);
  await noteRedecoding(pool, row, { state: 'running', filesDone: 0, files: files.length });
  for (const log of files) await inTurn((giveWay) => stageOne(log, giveWay));
  await inTurn(async (giveWay) => {
    for (const log of await storedLogs(pool, loggerSerial))
      if (!done.has(log.id)) await stageOne(log, giveWay);
    // A preview that was broken off counts anew; what was replaced stays counted.
    let outcome = row.preview ? NOTHING : row.outcome;
    let after: number | undefined;
    for (;;) {
      const next = await replaceNext(pool, row, after, outcome, now());
      if (!next) break;
      ({ done: after, outcome } = next);
      await giveWay();
    }
  });
  await clearStaged(pool, streamId);
  await noteRedecoding(pool, row, { state: 'done' });
}
