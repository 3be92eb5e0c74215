/** Worker thread that makes report files (report-thread.ts). */
import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { limitConcurrency } from '#server/history/limit-concurrency.ts';
import { type Database, openPool } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { loadShards } from '#server/platform/shards.ts';
import { makeWeekFile } from '#server/telemetry/readings/closed-week-file.ts';
import { CONTENT_TYPES } from '#shared/domain/reports/kinds.ts';
import { throwIfReaderGone } from './report.ts';
import { createReportFile, type ReportFile } from './report-file.ts';
import type { FileTask, FileThreadMessage, ReportFileTask, WeekFileTask } from './report-thread.ts';

/** Maximum number of simultaneous queries of all files together; the pool has as many connections. */
const QUERIES_AT_ONCE = 2;

const connection = { ...(workerData as pg.ClientConfig), max: QUERIES_AT_ONCE };
const pool = openPool(connection, (message) => parentPort?.postMessage(message));
const db = limitConcurrency(pool, QUERIES_AT_ONCE);
await loadShards(pool);

parentPort?.on('message', ({ order, port }: { readonly order: FileTask; readonly port: MessagePort }) => {
  void make(order, port);
});

/** Makes a file and sends it in messages: one for each request that arrives on the port. The work ends when the port closes. */
async function make(order: FileTask, port: MessagePort): Promise<void> {
  let isGone = false;
  port.once('close', () => {
    isGone = true;
  });
  const answers = answersTo(db, order, () => isGone);
  try {
    for await (const _ of on(port, 'message', { close: ['close'] })) {
      const { value, done } = await answers.next();
      if (done) break;
      port.postMessage(value, 'chunk' in value ? [value.chunk.buffer] : []);
    }
  } finally {
    await answers.return();
  }
}

async function* answersTo(
  db: Database,
  order: FileTask,
  isGone: () => boolean,
): AsyncGenerator<FileThreadMessage, void> {
  try {
    const { chunks, summary, ...head } =
      'week' in order ? weekFile(db, order, isGone) : await fileOf(db, order, isGone);
    yield { head };
    for await (const chunk of chunks) yield { chunk: transferable(chunk) };
    yield { summary: summary() };
  } catch (error) {
    if (error instanceof ProblemError) yield { problem: { code: error.code, message: error.message } };
    else {
      const { message, stack = message, code } = error as NodeJS.ErrnoException;
      yield { failure: { message, stack, code } };
    }
  }
}

const fileOf = (
  db: Database,
  { metadata, format, scope, units }: ReportFileTask,
  isGone: () => boolean,
): Promise<ReportFile> => createReportFile({ db, scope, now: metadata.at, isGone, units }, metadata, format);

const weekFile = (
  db: Database,
  { week: { streamId, ranges } }: WeekFileTask,
  isGone: () => boolean,
): ReportFile => ({
  name: 'week.parquet',
  contentType: CONTENT_TYPES.parquet,
  chunks: makeWeekFile(db, streamId, ranges, () => throwIfReaderGone({ isGone })),
  summary: () => ({ coverage: undefined, provisional: 0 }),
});

/** Returns the bytes in memory that can be transferred to another thread. Copies a small buffer, which shares its memory with others. */
const transferable = (chunk: Buffer): Uint8Array<ArrayBuffer> =>
  chunk.length === chunk.buffer.byteLength ? (chunk as Uint8Array<ArrayBuffer>) : new Uint8Array(chunk);
