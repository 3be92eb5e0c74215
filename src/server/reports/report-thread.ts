import { MessageChannel, Worker } from 'node:worker_threads';
import type pg from 'pg';
import { ProblemError } from '#server/platform/problem.ts';
import { ReaderDisconnectedError } from '#server/platform/send-chunks.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { Problem } from '#shared/contract/problem.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { Format } from '#shared/domain/reports/kinds.ts';
import type { ReportMetadata, ReportSummary } from './notes.ts';
import type { ReportContext } from './report.ts';
import type { ReportFile } from './report-file.ts';

/** The report to make, and the scope of its reader. */
export type ReportFileTask = Pick<ReportContext, 'scope' | 'units'> & {
  readonly metadata: ReportMetadata;
  readonly format: Format;
};
/** The readings that a Parquet file must contain. */
export type WeekFileTask = {
  readonly week: { readonly streamId: number; readonly ranges: readonly Range[] };
};
export type FileTask = ReportFileTask | WeekFileTask;

/** A message that the thread sends on the port of a file, in answer to a request. */
export type FileThreadMessage =
  | { readonly head: Pick<ReportFile, 'name' | 'contentType'> }
  | { readonly chunk: Uint8Array<ArrayBuffer> }
  | { readonly summary: ReportSummary }
  | { readonly problem: Problem }
  | { readonly failure: { readonly message: string; readonly stack: string; readonly code: unknown } };

/** Makes report files in a separate thread. */
export type ReportThread = {
  /**
   * Starts to make a file.
   * @param signal a signal that aborts the work: reading the file then throws ReaderDisconnectedError
   * @throws ProblemError 403, 404 and 400, before a row is read; 503 if the thread ended
   */
  file(order: FileTask, signal: AbortSignal): Promise<ReportFile>;
  /** Ends the thread. Files in progress are cut off. */
  close(): Promise<void>;
};

/**
 * Heap limits of the thread. Rows and texts are short-lived, but V8 would let the young generation grow to 96 MiB. The old generation
 * suffices for hundreds of files at once; if it is exhausted, the thread ends, not the portal.
 */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };
/** The thread ends after this time without a file, and frees its memory and connections. */
const IDLE_MS = 60_000;

/**
 * Makes report files in a worker thread with its own connections, so that the garbage of a file of a million rows stays out of the
 * portal's heap, and uploads and pages do not wait for the file. The thread starts at the first file, and restarts after it ended.
 */
export function openReportThread(connection: pg.ClientConfig, warn: Warn): ReportThread {
  let thread: Worker | undefined;
  let underWay = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(new URL('./report-worker.ts', import.meta.url), {
      workerData: connection,
      resourceLimits: LIMITS,
    });
    const ended = (reason: string): void => {
      if (thread !== started) return;
      thread = undefined;
      warn('The report thread ended', reason);
    };
    started.on('message', (message: string) => warn('The report thread reports an error', message));
    started.on('error', (error) => ended(error.message));
    started.on('exit', (code) => ended(`exit code ${code}`));
    started.unref();
    return started;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = thread;
    thread = undefined;
    await ending?.terminate();
  }

  /** Opens a port to the thread for one file. The thread answers each 'next' on the port with one message. */
  function ask(order: FileTask, signal: AbortSignal) {
    const { port1: port, port2 } = new MessageChannel();
    let waiting: { resolve(answer: FileThreadMessage): void; reject(error: Error): void } | undefined;
    let isClosed = false;
    const why = (): Error => (signal.aborted ? new ReaderDisconnectedError() : interrupted());
    const close = (): void => port.close();
    underWay += 1;
    clearTimeout(idle);
    thread ??= start();
    port.on('message', (answer: FileThreadMessage) => waiting?.resolve(answer));
    // The port closes when either side closes it, or when the thread ends.
    port.on('close', () => {
      isClosed = true;
      signal.removeEventListener('abort', close);
      waiting?.reject(why());
      underWay -= 1;
      if (underWay === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
    });
    if (signal.aborted) close();
    else signal.addEventListener('abort', close);
    thread.postMessage({ order, port: port2 }, [port2]);
    return {
      close,
      next: () =>
        new Promise<FileThreadMessage>((resolve, reject) => {
          if (isClosed) return reject(why());
          waiting = { resolve, reject };
          port.postMessage('next');
        }),
    };
  }

  return {
    async file(order, signal) {
      const { next, close } = ask(order, signal);
      const failed = (answer: FileThreadMessage): Error => {
        close();
        return errorOf(answer);
      };
      const first = await next();
      if (!('head' in first)) throw failed(first);
      let summary: ReportSummary | undefined;
      async function* chunks(): AsyncGenerator<Buffer, void> {
        try {
          for (let coming = next(); ; ) {
            const answer = await coming;
            if ('summary' in answer) {
              summary = answer.summary;
              return;
            }
            if (!('chunk' in answer)) throw failed(answer);
            // Requests the next chunk while the caller reads this one.
            coming = next();
            coming.catch(() => {});
            yield Buffer.from(answer.chunk.buffer);
            // Frees the memory now: V8 would collect it late, and hold 50 MiB until then.
            answer.chunk.buffer.transfer(0);
          }
        } finally {
          close();
        }
      }
      return { ...first.head, chunks: chunks(), summary: () => summary as ReportSummary };
    },
    close: end,
  };
}

const interrupted = () =>
  new ProblemError('unavailable', 'Het maken van het rapport is afgebroken. Probeer het zo weer.');

/** Restores an error that was thrown in the thread, from the fields that cross the port. */
function errorOf(answer: FileThreadMessage): Error {
  if ('problem' in answer) return new ProblemError(answer.problem.code, answer.problem.message);
  if (!('failure' in answer)) return new Error('The report thread sent an unexpected answer.');
  const { message, stack, code } = answer.failure;
  return Object.assign(new Error(message), { stack, ...(code !== undefined && { code }) });
}
