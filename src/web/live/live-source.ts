/** Where the newest image comes from: the worker, or the page itself where no worker starts. */
import type { LiveEntry } from '#shared/contract/live.ts';
import { createAnswerer, type LiveAnswerer, type LiveNews, type LiveQuestion } from './live-answerer.ts';
import { imageAfter, readSlice } from './live-change.ts';
import type { LiveImage } from './live-image.ts';
import { linkTo, WorkerBroken } from './live-worker-link.ts';

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
      const changed = new Map<string, LiveEntry>();
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

/** This page's. */
export const liveSource = createLiveSource(
  () => new Worker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'live' }),
);
