/** Where the newest image comes from: the worker, or the page itself where no worker starts. */
import { ApiError } from '#web/lib/api.ts';
import { createAnswerer, type LiveAnswerer, type LiveNews, type LiveQuestion } from './live-answerer.ts';
import { imageAfter, readSlice } from './live-change.ts';
import type { LiveImage, SeenEntry } from './live-image.ts';
import type { FromWorker, ToWorker } from './live-worker.ts';

export type LivePoll = {
  /** `previous` itself when nothing changed. */
  readonly image: LiveImage;
  /** The answer as it came, when it was wanted. */
  readonly text: string | undefined;
};

export type LiveSource = {
  /** Rejects with ApiError, or with the signal's reason. */
  poll(previous: LiveImage | undefined, wantsText: boolean, signal: AbortSignal): Promise<LivePoll>;
  /** Forgets the last answer, in the worker too; the next poll begins anew. */
  end(): void;
};

/** The worker did not start, or broke: ask without one. */
class WorkerBroken extends Error {}

/** `start` may throw; then, and when the worker breaks later, the same code runs in the page. */
export function createLiveSource(start: () => Worker): LiveSource {
  let worker: Worker | undefined;
  let answerer: LiveAnswerer | undefined;
  let isBroken = false;

  function open(): LiveAnswerer {
    if (isBroken) return createAnswerer();
    try {
      worker = start();
      return linkTo(worker);
    } catch {
      isBroken = true;
      return createAnswerer();
    }
  }

  function end(): void {
    worker?.terminate();
    worker = undefined;
    answerer = undefined;
  }

  async function ask(
    question: LiveQuestion,
    signal: AbortSignal,
    onSlice: (slice: string) => void,
  ): Promise<LiveNews> {
    answerer ??= open();
    try {
      return await answerer(question, signal, onSlice);
    } catch (error) {
      if (!(error instanceof WorkerBroken)) throw error;
      end();
      isBroken = true;
      return ask(question, signal, onSlice);
    }
  }

  return {
    async poll(previous, wantsText, signal) {
      const changed = new Map<string, SeenEntry>();
      const news = await ask({ base: previous?.version, wantsText }, signal, (slice) =>
        readSlice(slice, previous, changed),
      );
      if (!news.changed && previous) return { image: previous, text: news.text };
      const image = { ...imageAfter(previous, changed, news.keys), version: news.version };
      return { image, text: news.text };
    },
    end,
  };
}

type Waiting = {
  readonly onSlice: (slice: string) => void;
  readonly done: (news: LiveNews) => void;
  readonly failed: (error: unknown) => void;
};

/** The answerer in `worker`; rejects with ApiError, the signal's reason, or WorkerBroken. */
function linkTo(worker: Worker): LiveAnswerer {
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

/** This page's. */
export const liveSource = createLiveSource(
  () => new Worker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'live' }),
);
