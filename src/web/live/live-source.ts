/** Fetches the live data through a worker, or in the page if no worker starts. */
import { ApiError } from '#web/lib/api.ts';
import { applyLiveChange, applyLiveSlice } from './live-change.ts';
import { createLiveFetcher, type LiveFetcher, type LiveRequest, type LiveUpdate } from './live-fetcher.ts';
import type { FleetEntry, LiveSnapshot } from './live-snapshot.ts';
import type { LiveWorkerMessage, LiveWorkerRequest } from './live-worker.ts';

export type LivePoll = {
  /** The newest live data; the same object as `previous` if nothing changed. */
  readonly image: LiveSnapshot;
  /** The response as received, if the caller asked for it. */
  readonly text: string | undefined;
};

export type LiveSource = {
  /** Fetches the newest live data. Rejects with ApiError, or with the signal's reason. */
  poll(previous: LiveSnapshot | undefined, wantsText: boolean, signal: AbortSignal): Promise<LivePoll>;
  /** Discards the last response and terminates the worker; the next poll starts afresh. */
  end(): void;
};

/** Thrown if the worker does not start or breaks; the page then fetches the live data without a worker. */
class WorkerBrokenError extends Error {}

/** Creates a source of live data. If `start` throws or the worker breaks later, the worker's code runs in the page. */
export function createLiveSource(start: () => Worker): LiveSource {
  let worker: Worker | undefined;
  let fetcher: LiveFetcher | undefined;
  let isBroken = false;

  function open(): LiveFetcher {
    if (isBroken) return createLiveFetcher();
    try {
      worker = start();
      return fetcherIn(worker);
    } catch {
      isBroken = true;
      return createLiveFetcher();
    }
  }

  function end(): void {
    worker?.terminate();
    worker = undefined;
    fetcher = undefined;
  }

  async function ask(
    request: LiveRequest,
    signal: AbortSignal,
    onSlice: (slice: string) => void,
  ): Promise<LiveUpdate> {
    fetcher ??= open();
    try {
      return await fetcher(request, signal, onSlice);
    } catch (error) {
      if (!(error instanceof WorkerBrokenError)) throw error;
      end();
      isBroken = true;
      return ask(request, signal, onSlice);
    }
  }

  return {
    async poll(previous, wantsText, signal) {
      const changed = new Map<string, FleetEntry>();
      const update = await ask({ base: previous?.version, wantsText }, signal, (slice) =>
        applyLiveSlice(slice, previous, changed),
      );
      if (!update.changed && previous) return { image: previous, text: update.text };
      const image = { ...applyLiveChange(previous, changed, update.keys), version: update.version };
      return { image, text: update.text };
    },
    end,
  };
}

type Waiting = {
  readonly onSlice: (slice: string) => void;
  readonly done: (update: LiveUpdate) => void;
  readonly failed: (error: unknown) => void;
};

/** Returns a fetcher that runs in `worker`. It rejects with ApiError, the signal's reason, or WorkerBrokenError. */
function fetcherIn(worker: Worker): LiveFetcher {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const post = (message: LiveWorkerRequest): void => worker.postMessage(message);

  worker.addEventListener('message', ({ data }: MessageEvent<LiveWorkerMessage>) => {
    const request = waiting.get(data.id);
    if (!request) return;
    try {
      if (data.slice !== undefined) request.onSlice(data.slice);
      else if (data.update) request.done(data.update);
      else if (data.problem)
        request.failed(new ApiError(data.problem.status, data.problem, data.problem.fromServer));
    } catch (error) {
      request.failed(error);
    }
  });
  worker.addEventListener('error', () => {
    for (const { failed } of waiting.values()) failed(new WorkerBrokenError());
  });

  return (request, signal, onSlice) => {
    lastId += 1;
    const id = lastId;
    const stop = new AbortController();
    return new Promise<LiveUpdate>((done, failed) => {
      signal.throwIfAborted();
      waiting.set(id, { onSlice, done, failed });
      signal.addEventListener(
        'abort',
        () => {
          post({ id });
          failed(signal.reason);
        },
        { signal: stop.signal },
      );
      post({ id, request });
    }).finally(() => {
      waiting.delete(id);
      stop.abort();
    });
  };
}

/** The source from which this page gets its live data. */
export const liveSource = createLiveSource(
  () => new Worker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'live' }),
);
