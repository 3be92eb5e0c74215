/** Makes report files beside the event loop (report-thread.ts). */
import { on } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { fewAtOnce } from '#server/history/few-at-once.ts';
import { type Database, openPool } from '#server/platform/database.ts';
import { ProblemError } from '#server/platform/problem.ts';
import { learnShards } from '#server/platform/shards.ts';
import { reportFile } from './report-file.ts';
import type { FileAnswer, FileOrder } from './report-thread.ts';

/** Of all files together; there are as many connections. */
const QUESTIONS_AT_ONCE = 2;

const connection = { ...(workerData as pg.ClientConfig), max: QUESTIONS_AT_ONCE };
const pool = openPool(connection, (message) => parentPort?.postMessage(message));
const db = fewAtOnce(pool, QUESTIONS_AT_ONCE);
await learnShards(pool);

parentPort?.on('message', ({ order, port }: { readonly order: FileOrder; readonly port: MessagePort }) => {
  void make(order, port);
});

/** One answer each time that it is asked for one; the work ends with the port. */
async function make(order: FileOrder, port: MessagePort): Promise<void> {
  let isGone = false;
  port.once('close', () => {
    isGone = true;
  });
  const answers = answersTo(db, order, () => isGone);
  try {
    for await (const _ of on(port, 'message', { close: ['close'] })) {
      const { value, done } = await answers.next();
      if (done) break;
      port.postMessage(value, 'piece' in value ? [value.piece.buffer] : []);
    }
  } finally {
    await answers.return();
  }
}

async function* answersTo(
  db: Database,
  { made, format, scope, units }: FileOrder,
  isGone: () => boolean,
): AsyncGenerator<FileAnswer, void> {
  try {
    const context = { db, scope, now: made.at, isGone, units };
    const { pieces, summary, ...head } = await reportFile(context, made, format);
    yield { head };
    for await (const piece of pieces) yield { piece: ownMemory(piece) };
    yield { summary: summary() };
  } catch (error) {
    if (error instanceof ProblemError) yield { problem: { code: error.code, message: error.message } };
    else {
      const { message, stack = message, code } = error as NodeJS.ErrnoException;
      yield { failure: { message, stack, code } };
    }
  }
}

/** To hand over: small pieces share their memory with others. */
const ownMemory = (piece: Buffer): Uint8Array<ArrayBuffer> =>
  piece.length === piece.buffer.byteLength ? (piece as Uint8Array<ArrayBuffer>) : new Uint8Array(piece);
