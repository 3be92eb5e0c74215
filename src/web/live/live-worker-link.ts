/** The page's end of the line to the worker. */
import { ApiError } from '#web/lib/api.ts';
import type { LiveAnswerer, LiveNews } from './live-answerer.ts';
import type { FromWorker, ToWorker } from './live-worker-messages.ts';

/** The worker did not start, or broke: ask without one. */
export class WorkerBroken extends Error {}

type Waiting = {
  readonly onSlice: (slice: string) => void;
  readonly done: (news: LiveNews) => void;
  readonly failed: (error: unknown) => void;
};

/** The answerer in `worker`; rejects with ApiError, the signal's reason, or WorkerBroken. */
export function linkTo(worker: Worker): LiveAnswerer {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  const say = (message: ToWorker): void => worker.postMessage(message);

  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    const question = waiting.get(data.id);
    if (!question) return;
    try {
      if (data.slice !== undefined) question.onSlice(data.slice);
      else if (data.news) question.done(data.news);
      else if (data.problem)
        question.failed(new ApiError(data.problem.status, data.problem, data.problem.fromServer));
    } catch (error) {
      question.failed(error);
    }
  });
  worker.addEventListener('error', () => {
    for (const { failed } of waiting.values()) failed(new WorkerBroken());
  });

  return (question, signal, onSlice) => {
    asked += 1;
    const id = asked;
    const stop = new AbortController();
    return new Promise<LiveNews>((done, failed) => {
      signal.throwIfAborted();
      waiting.set(id, { onSlice, done, failed });
      signal.addEventListener(
        'abort',
        () => {
          say({ id });
          failed(signal.reason);
        },
        { signal: stop.signal },
      );
      say({ id, question });
    }).finally(() => {
      waiting.delete(id);
      stop.abort();
    });
  };
}
