import { MessageChannel, Worker } from 'node:worker_threads';
import type pg from 'pg';
import { ProblemError } from '#server/platform/problem.ts';
import type { Warn } from '#server/platform/warn.ts';
import type { Problem } from '#shared/contract/problem.ts';
import type { Format } from '#shared/domain/reports/kinds.ts';
import type { Made, Summary } from './notes.ts';
import { NobodyWaits, type ReportContext } from './report.ts';
import type { ReportFile } from './report-file.ts';

/** Which file, and of whom. */
export type FileOrder = Pick<ReportContext, 'scope' | 'units'> & {
  readonly made: Made;
  readonly format: Format;
};

/** What the thread answers on a file's own port, one answer each time that it is asked. */
export type FileAnswer =
  | { readonly head: Pick<ReportFile, 'name' | 'contentType'> }
  | { readonly piece: Uint8Array<ArrayBuffer> }
  | { readonly summary: Summary }
  | { readonly problem: Problem }
  | { readonly failure: { readonly message: string; readonly stack: string; readonly code: unknown } };

/** Report files, made in a thread of their own. */
export type ReportThread = {
  /**
   * @param signal nobody waits for it any more: the work ends, and what is read of it throws NobodyWaits
   * @throws ProblemError 403, 404 and 400, before a row is read; 503 where the thread ended
   */
  file(order: FileOrder, signal: AbortSignal): Promise<ReportFile>;
  /** What is under way is cut off. */
  close(): Promise<void>;
};

/**
 * Rows and texts live shortly, and V8 lets the young objects of a thread grow to 96 MiB if nobody says otherwise. The old ones are for
 * hundreds of files at once; what needs more ends the thread, and not the portal.
 */
const LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 };
/** Without a file for so long the thread ends, and gives back its memory and its connections. */
const IDLE_MS = 60_000;

/**
 * Reports are read and written beside the event loop, with connections of their own: what a file of a million rows leaves behind is
 * not the portal's, and neither uploads nor pages wait for it. The thread starts at the first file, and anew when it has ended.
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
      warn('The thread that writes reports ended', reason);
    };
    started.on('message', (message: string) => warn('The thread that writes reports', message));
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

  /** A port to the thread for one file: each time that it is asked it answers once. */
  function ask(order: FileOrder, signal: AbortSignal) {
    const { port1: port, port2 } = new MessageChannel();
    let waiting: { resolve(answer: FileAnswer): void; reject(error: Error): void } | undefined;
    let isClosed = false;
    const why = (): Error => (signal.aborted ? new NobodyWaits() : brokenOff());
    const close = (): void => port.close();
    underWay += 1;
    clearTimeout(idle);
    thread ??= start();
    port.on('message', (answer: FileAnswer) => waiting?.resolve(answer));
    // Of either side, or with the thread.
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
        new Promise<FileAnswer>((resolve, reject) => {
          if (isClosed) return reject(why());
          waiting = { resolve, reject };
          port.postMessage('next');
        }),
    };
  }

  return {
    async file(order, signal) {
      const { next, close } = ask(order, signal);
      const failed = (answer: FileAnswer): Error => {
        close();
        return errorOf(answer);
      };
      const first = await next();
      if (!('head' in first)) throw failed(first);
      let summary: Summary | undefined;
      async function* pieces(): AsyncGenerator<Buffer, void> {
        try {
          for (let coming = next(); ; ) {
            const answer = await coming;
            if ('summary' in answer) {
              summary = answer.summary;
              return;
            }
            if (!('piece' in answer)) throw failed(answer);
            // While this one is read.
            coming = next();
            coming.catch(() => {});
            yield Buffer.from(answer.piece.buffer);
            // Given back now: until V8 collects it there would be 50 MiB of them.
            answer.piece.buffer.transfer(0);
          }
        } finally {
          close();
        }
      }
      return { ...first.head, pieces: pieces(), summary: () => summary as Summary };
    },
    close: end,
  };
}

const brokenOff = () =>
  new ProblemError('unavailable', 'Het maken van het rapport is afgebroken. Probeer het zo weer.');

/** As it was thrown in the thread: of an error only this crosses. */
function errorOf(answer: FileAnswer): Error {
  if ('problem' in answer) return new ProblemError(answer.problem.code, answer.problem.message);
  if (!('failure' in answer)) return new Error('The thread that writes reports answered something else.');
  const { message, stack, code } = answer.failure;
  return Object.assign(new Error(message), { stack, ...(code !== undefined && { code }) });
}
