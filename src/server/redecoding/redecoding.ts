import { audit } from '#server/platform/audit.ts';
import { inTransaction } from '#server/platform/database.ts';
import { isPermanent } from '#server/platform/job-failure.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { requireWriter } from '#server/streams/current-writer.ts';
import { lockStream } from '#server/streams/find-stream.ts';
import { changeDm1 } from '#server/telemetry/dm1/dm1.store.ts';
import { joinDays, subtractDm1Days } from '#server/telemetry/dm1/dm1-days.ts';
import type { LogQueue } from '#server/telemetry/log-queue.ts';
import { serialOfUploadKey } from '#server/telemetry/manual-uploads.ts';
import { listStoredLogs, type StoredLog } from '#server/telemetry/objects.store.ts';
import type { Redecoding } from '#shared/contract/definition.ts';
import { isErasing } from './erasures.store.ts';
import { withHistoryLock } from './history-lock.ts';
import {
  beginRedecoding,
  type DecodedBinding,
  endFormerDefinitions,
  type RedecodingCounts,
  type RedecodingRow,
  readDecodedBindings,
  readErasedPeriods,
  readRedecoding,
  redecodingView,
  storeRedecodingProgress,
} from './redecoding.store.ts';
import { replaceNextReadings } from './replace-readings.ts';
import { type RedecodingDependencies, type StagingRun, stageFile } from './stage-files.ts';
import { clearStaged } from './staged.store.ts';

/**
 * Implements 'Decodeer logbestanden opnieuw': replaces the readings of stored log files by the result of a later
 * definition.
 */
export type Redecodings = {
  /** Starts a re-decoding. @throws ProblemError 404, 409 without a logger or definition, or when a re-decoding is in progress */
  begin(actor: string, request: Request): Promise<Redecoding | null>;
  /** Stops the work of this process; another process, or the next start, repeats it. */
  close(): void;
};

type Request = { readonly serial: string; readonly preview: boolean; readonly from?: string | undefined };

/**
 * Retries until the re-decoding is finished: a job fails when its process stops or is too busy, or when another process holds the history
 * lock. `atOnce` is low, because each job holds a connection of the pool for pages.
 */
const POLICY = { retries: 1_000, firstRetryS: 1, longestRetryS: 60, atOnce: 2 };
const NOTHING: RedecodingCounts = { readings: { added: 0, changed: 0, removed: 0 }, signals: {} };

type Parts = RedecodingDependencies & { readonly jobs: Jobs; readonly logs: LogQueue };

export async function openRedecodings(parts: Parts): Promise<Redecodings> {
  const { pool } = parts;
  let closed = false;
  const throwIfClosed = (): void => {
    if (closed) throw new Error('The portal stops.');
  };
  const queue = await parts.jobs.queue<{ streamId: number; startedAt: string }>(
    'redecode',
    POLICY,
    async ({ streamId, startedAt }) => {
      const row = await readRedecoding(pool, streamId);
      if (row?.startedAt !== startedAt || row.state === 'done' || row.state === 'failed') return;
      await withHistoryLock(pool, streamId, () => redecode(parts, row, throwIfClosed)).catch(
        async (error: Error) => {
          if (isPermanent(error)) {
            await clearStaged(pool, streamId);
            await storeRedecodingProgress(pool, row, { state: 'failed' });
          }
          throw error;
        },
      );
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
        if (await isErasing(client, stream.id))
          throw new ProblemError(
            'conflict',
            'Er worden nu metingen gewist of teruggezet. Wacht tot dat klaar is.',
          );
        const since = from === '-infinity' ? from : new Date(from);
        const bindings = withUnfinished(await readDecodedBindings(client, stream.id, since), before);
        const begun = { streamId: stream.id, writerId, definitionId, bindings, preview, startedBy: actor };
        const startedAt = await beginRedecoding(client, { ...begun, from: since });
        if (!preview) {
          for (const binding of bindings)
            await endFormerDefinitions(client, binding.writerId, definitionId, since);
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

/**
 * If the last re-decoding failed, adds the definitions that it was replacing. It may have replaced only some of the readings, so stored
 * readings may stem from any of these definitions.
 */
function withUnfinished(
  bindings: readonly DecodedBinding[],
  before: RedecodingRow | undefined,
): readonly DecodedBinding[] {
  if (before?.state !== 'failed' || before.preview) return bindings;
  return bindings.map((binding) => {
    const unfinished = before.bindings.find(({ writerId }) => writerId === binding.writerId)?.former ?? [];
    return { ...binding, former: [...unfinished, ...binding.former] };
  });
}

/** A stored log file, and the binding with which it was received. */
type File = { readonly binding: DecodedBinding; readonly log: StoredLog };

/**
 * Reads the files one by one, in the same queue as the loggers' uploads. Then reads the files that arrived in the meantime, and
 * replaces the readings that all these files gave earlier; meanwhile uploads of the stream's present logger wait.
 */
async function redecode(parts: Parts, row: RedecodingRow, throwIfClosed: () => void): Promise<void> {
  const { pool, logs, now } = parts;
  const { streamId, loggerSerial: present } = row;
  const run: StagingRun = {
    findings: new Set(),
    staged: 0,
    allDm1: new Map(),
    newDm1: new Map(),
    erased: await readErasedPeriods(pool, streamId),
  };
  const done = new Set<string>();
  const queued = (
    loggerSerial: string,
    work: (giveWay: () => Promise<void>) => Promise<void>,
  ): Promise<void> =>
    logs.run(loggerSerial, (giveWay) =>
      work(async () => {
        throwIfClosed();
        await giveWay();
      }),
    );
  const filesOf = async (): Promise<File[]> => {
    const files: File[] = [];
    for (const binding of row.bindings)
      for (const log of await listStoredLogs(pool, binding.writerId)) {
        // A file that a person uploaded may have been recorded during an earlier binding, possibly by another logger.
        const recorder = serialOfUploadKey(log.key);
        const its = row.bindings.filter(({ loggerSerial }) => loggerSerial === recorder);
        for (const one of recorder === undefined ? [binding] : its) files.push({ binding: one, log });
      }
    return files;
  };
  const stageOne = async ({ binding, log }: File, giveWay: () => Promise<void>): Promise<void> => {
    await stageFile(parts, row, binding, log, run, giveWay);
    done.add(log.id);
    await storeRedecodingProgress(pool, row, {
      state: 'running',
      filesDone: done.size,
      findings: [...run.findings],
    });
  };
  await clearStaged(pool, streamId);
  const files = await filesOf();
  await storeRedecodingProgress(pool, row, {
    state: 'running',
    filesDone: 0,
    files: new Set(files.map(({ log }) => log.id)).size,
    covers: coverOf(files),
  });
  for (const file of files) await queued(file.binding.loggerSerial, (giveWay) => stageOne(file, giveWay));
  await queued(present, async (giveWay) => {
    for (const file of await filesOf()) if (!done.has(file.log.id)) await stageOne(file, giveWay);
    // An interrupted preview counts again from the start. An interrupted replacement continues its counts, because it does not find the
    // readings that it replaced before.
    let outcome = row.preview ? NOTHING : row.outcome;
    let after: number | undefined;
    for (;;) {
      const next = await replaceNextReadings(pool, row, after, outcome, now());
      if (!next) break;
      ({ done: after, outcome } = next);
      await giveWay();
    }
    if (!row.preview)
      await changeDm1(pool, streamId, run.allDm1, (stored) =>
        joinDays(subtractDm1Days(stored, run.allDm1), run.newDm1),
      );
  });
  await clearStaged(pool, streamId);
  await storeRedecodingProgress(pool, row, { state: 'done' });
}

/** Returns the number of files of each logger, and when the first and the last one were received. */
function coverOf(files: readonly File[]): Redecoding['covers'] {
  const byLogger = Map.groupBy(files, ({ binding }) => binding.loggerSerial);
  return [...byLogger].map(([loggerSerial, its]) => {
    const times = its.map(({ log }) => log.storedAt);
    const iso = (ms: number): string => new Date(ms).toISOString();
    return { loggerSerial, files: its.length, from: iso(Math.min(...times)), to: iso(Math.max(...times)) };
  });
}
