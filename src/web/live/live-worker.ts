/**
 * Runs beside the page: ten thousand machines are fetched, parsed and compared here, not between two frames. It ends
 * when the session does, and what it remembers with it.
 */
import { ApiError } from '#web/lib/api.ts';
import { createAnswerer, type LiveNews, type LiveQuestion } from './live-answerer.ts';

/** A question, or without one: the question with that number is no longer of interest. */
export type ToWorker = { readonly id: number; readonly question?: LiveQuestion };

/** Slices, then either news or a problem. */
export type FromWorker = {
  readonly id: number;
  readonly slice?: string;
  readonly news?: LiveNews;
  readonly problem?: Pick<ApiError, 'status' | 'code' | 'message' | 'fromServer'>;
};

const answer = createAnswerer();
const running = new Map<number, AbortController>();
const tell = (message: FromWorker): void => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.question) void run(data.id, data.question);
  else running.get(data.id)?.abort();
});

async function run(id: number, question: NonNullable<ToWorker['question']>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const news = await answer(question, stop.signal, (slice) => tell({ id, slice }));
    tell({ id, news });
  } catch (error) {
    if (!stop.signal.aborted) tell({ id, problem: problemOf(error) });
  } finally {
    running.delete(id);
  }
}

/** An ApiError does not survive the crossing, its parts do. */
function problemOf(error: unknown): NonNullable<FromWorker['problem']> {
  if (!(error instanceof ApiError))
    return { status: 0, code: 'internal', message: String(error), fromServer: false };
  const { status, code, message, fromServer } = error;
  return { status, code, message, fromServer };
}
