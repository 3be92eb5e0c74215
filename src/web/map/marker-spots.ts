/** Queries the marker index, which runs in a worker for a large fleet because building it takes longer than a frame. */
import type { Position } from '#shared/domain/position.ts';
import {
  type Bounds,
  type MarkerIndex,
  type MarkerSpot,
  MIN_MARKERS_FOR_WORKER,
  markerIndex,
} from './marker-index.ts';
import type { MarkerAnswer, MarkerRequest } from './marker-worker.ts';

export type MarkerSpots = {
  /** Sets the places for later requests. */
  readonly load: (places: readonly Position[]) => void;
  /** Calls `answer` with the spots of MarkerIndex.spotsIn: at once for a small fleet, else later, in the order of the requests. */
  readonly ask: (bounds: Bounds, zoom: number, answer: (spots: readonly MarkerSpot[]) => void) => void;
  readonly end: () => void;
};

type Waiting = { readonly request: MarkerRequest; readonly answer: (spots: readonly MarkerSpot[]) => void };

/** Creates the object with which the page queries the index. If `start` throws or the worker breaks, the page builds the index itself. */
export function markerSpots(maxZoom: number, start = startWorker): MarkerSpots {
  const waiting = new Map<number, Waiting>();
  let places: readonly Position[] = [];
  let own: MarkerIndex | undefined = markerIndex([], maxZoom);
  let worker: Worker | undefined;
  let isBroken = false;
  let lastId = 0;

  function open(): Worker | undefined {
    if (isBroken) return undefined;
    try {
      const opened = start();
      opened.addEventListener('message', ({ data: { id, spots } }: MessageEvent<MarkerAnswer>) => {
        const { answer } = waiting.get(id) ?? {};
        waiting.delete(id);
        answer?.(spots);
      });
      opened.addEventListener('error', fallBackToPage);
      return opened;
    } catch {
      isBroken = true;
      return undefined;
    }
  }

  function fallBackToPage(): void {
    isBroken = true;
    worker?.terminate();
    worker = undefined;
    own = markerIndex(places, maxZoom);
    const unanswered = [...waiting.values()];
    waiting.clear();
    for (const { request, answer } of unanswered) answer(own.spotsIn(request.bounds, request.zoom));
  }

  return {
    load(next) {
      places = next;
      const isLarge = next.length >= MIN_MARKERS_FOR_WORKER;
      if (isLarge) worker ??= open();
      own = isLarge && worker ? undefined : markerIndex(next, maxZoom);
      if (own || !worker) return;
      const degrees = new Float64Array(next.flatMap(({ lat, lon }) => [lat, lon]));
      worker.postMessage({ degrees, maxZoom }, [degrees.buffer]);
    },
    ask(bounds, zoom, answer) {
      if (own) return answer(own.spotsIn(bounds, zoom));
      lastId += 1;
      const request = { id: lastId, bounds, zoom };
      waiting.set(lastId, { request, answer });
      worker?.postMessage(request);
    },
    end() {
      waiting.clear();
      worker?.terminate();
    },
  };
}

const startWorker = (): Worker =>
  new Worker(new URL('./marker-worker.ts', import.meta.url), { type: 'module', name: 'markers' });
