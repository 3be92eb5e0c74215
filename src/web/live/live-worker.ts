/**
 * Fetches, parses and compares the live data in a worker, so that ten thousand machines do not block the page. The worker is
 * terminated, and with it the live data that it remembers, when the session ends.
 */
import { ApiError } from '#web/lib/api.ts';
import { createLiveFetcher, type LiveRequest, type LiveUpdate } from './live-fetcher.ts';

/** A message to the worker. A message without `request` aborts the earlier request that has the same id. */
export type LiveWorkerRequest = { readonly id: number; readonly request?: LiveRequest };

/** A message from the worker about a request: a slice, the result (`update`) or the error. The slices are sent first. */
export type LiveWorkerMessage = {
  readonly id: number;
  readonly slice?: string;
  readonly update?: LiveUpdate;
  readonly problem?: Pick<ApiError, 'status' | 'code' | 'message' | 'fromServer'>;
};

const answer = createLiveFetcher();
const running = new Map<number, AbortController>();
const post = (message: LiveWorkerMessage): void => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<LiveWorkerRequest>) => {
  if (data.request) void run(data.id, data.request);
  else running.get(data.id)?.abort();
});

async function run(id: number, request: NonNullable<LiveWorkerRequest['request']>): Promise<void> {
  const stop = new AbortController();
  running.set(id, stop);
  try {
    const update = await answer(request, stop.signal, (slice) => post({ id, slice }));
    post({ id, update });
  } catch (error) {
    if (!stop.signal.aborted) post({ id, problem: problemOf(error) });
  } finally {
    running.delete(id);
  }
}

/** Returns the fields of an ApiError, because postMessage cannot transfer the class. */
function problemOf(error: unknown): NonNullable<LiveWorkerMessage['problem']> {
  if (!(error instanceof ApiError))
    return { status: 0, code: 'internal', message: String(error), fromServer: false };
  const { status, code, message, fromServer } = error;
  return { status, code, message, fromServer };
}
