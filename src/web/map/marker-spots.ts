/** Asks the cluster index, which for a large fleet lives in a worker: building it takes longer than a frame. */
import type { Position } from '#shared/domain/position.ts';
import { type Bounds, type MarkerIndex, markerIndex, type Spot, WORKER_FROM } from './marker-index.ts';
import type { MarkerAnswer, MarkerQuestion } from './marker-worker.ts';

export type MarkerSpots = {
  /** From now on it is about these places. */
  readonly load: (places: readonly Position[]) => void;
  /** What to draw, as MarkerIndex.spotsIn; at once for a small fleet, else soon, in the order of asking. */
  readonly ask: (bounds: Bounds, zoom: number, answer: (spots: readonly Spot[]) => void) => void;
  readonly end: () => void;
};

type Waiting = { readonly question: MarkerQuestion; readonly answer: (spots: readonly Spot[]) => void };

/** `start` may throw; then, and when the worker breaks, the page builds the index itself. */
export function markerSpots(maxZoom: number, start = startWorker): MarkerSpots {
  const waiting = new Map<number, Waiting>();
  let places: readonly Position[] = [];
  let own: MarkerIndex | undefined = markerIndex([], maxZoom);
  let worker: Worker | undefined;
  let isBroken = false;
  let asked = 0;

  function open(): Worker | undefined {
    if (isBroken) return undefined;
    try {
      const opened = start();
      opened.addEventListener('message', ({ data: { id, spots } }: MessageEvent<MarkerAnswer>) => {
        const { answer } = waiting.get(id) ?? {};
        waiting.delete(id);
        answer?.(spots);
      });
      opened.addEventListener('error', goOnWithout);
      return opened;
    } catch {
      isBroken = true;
      return undefined;
    }
  }

  function goOnWithout(): void {
    isBroken = true;
    worker?.terminate();
    worker = undefined;
    own = markerIndex(places, maxZoom);
    const unanswered = [...waiting.values()];
    waiting.clear();
    for (const { question, answer } of unanswered) answer(own.spotsIn(question.bounds, question.zoom));
  }

  return {
    load(next) {
      places = next;
      const isLarge = next.length >= WORKER_FROM;
      if (isLarge) worker ??= open();
      own = isLarge && worker ? undefined : markerIndex(next, maxZoom);
      if (own || !worker) return;
      const degrees = new Float64Array(next.flatMap(({ lat, lon }) => [lat, lon]));
      worker.postMessage({ degrees, maxZoom }, [degrees.buffer]);
    },
    ask(bounds, zoom, answer) {
      if (own) return answer(own.spotsIn(bounds, zoom));
      asked += 1;
      const question = { id: asked, bounds, zoom };
      waiting.set(asked, { question, answer });
      worker?.postMessage(question);
    },
    end() {
      waiting.clear();
      worker?.terminate();
    },
  };
}

const startWorker = (): Worker =>
  new Worker(new URL('./marker-worker.ts', import.meta.url), { type: 'module', name: 'markers' });
