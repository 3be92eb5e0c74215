import { afterEach, expect, test, vi } from 'vitest';
import { type MarkerSpot, MIN_MARKERS_FOR_WORKER, markerIndex } from './marker-index.ts';
import { type MarkerSpots, markerSpots } from './marker-spots.ts';
import type { MarkerAnswer } from './marker-worker.ts';

const MAX_ZOOM = 19;
const ALL = { west: 3, south: 50, east: 8, north: 54 };
const field = (count: number, lat = 52) =>
  Array.from({ length: count }, (_, at) => ({ lat: lat + (at % 7) * 0.01, lon: 5 + at * 0.001 }));

/** Replaces the browser's worker, and runs the real marker-worker.ts in it. */
async function aWorker(): Promise<() => Worker> {
  const page = new EventTarget();
  const inside = new EventTarget();
  const deliver = (to: EventTarget, data: unknown): void => {
    const copy = structuredClone(data);
    setTimeout(() => to.dispatchEvent(new MessageEvent('message', { data: copy })));
  };
  vi.stubGlobal('self', {
    addEventListener: inside.addEventListener.bind(inside),
    postMessage: (message: MarkerAnswer) => deliver(page, message),
  });
  vi.resetModules();
  await import('./marker-worker.ts');
  const postMessage = (message: unknown) => deliver(inside, message);
  return () => Object.assign(page, { postMessage, terminate: () => undefined }) as unknown as Worker;
}
const noWorker = (): Worker => {
  throw new DOMException('refused', 'SecurityError');
};
const brokenWorker = (): Worker => {
  const page = new EventTarget();
  const postMessage = () => void setTimeout(() => page.dispatchEvent(new Event('error')));
  return Object.assign(page, { postMessage, terminate: () => undefined }) as unknown as Worker;
};
const answer = (spots: MarkerSpots, zoom: number): Promise<readonly MarkerSpot[]> =>
  new Promise((done) => spots.ask(ALL, zoom, done));

afterEach(() => vi.unstubAllGlobals());

test.each<[string, () => Promise<() => Worker>]>([
  ['in the worker', aWorker],
  ['where no worker starts', async () => noWorker],
  ['after the worker broke', async () => brokenWorker],
])(
  '%s, ask() gives the spots that the index of the newest places gives, in the order of the requests (MAP-13)',
  async (_, start) => {
    const spots = markerSpots(MAX_ZOOM, await start());
    spots.load(field(MIN_MARKERS_FOR_WORKER));
    expect(await answer(spots, 7)).toEqual(
      markerIndex(field(MIN_MARKERS_FOR_WORKER), MAX_ZOOM).spotsIn(ALL, 7),
    );
    spots.load(field(MIN_MARKERS_FOR_WORKER, 53));
    const order: number[] = [];
    const both = [9, 11].map(async (zoom) => {
      const found = await answer(spots, zoom);
      order.push(zoom);
      return found;
    });
    const index = markerIndex(field(MIN_MARKERS_FOR_WORKER, 53), MAX_ZOOM);
    expect(await Promise.all(both)).toEqual([index.spotsIn(ALL, 9), index.spotsIn(ALL, 11)]);
    expect(order).toEqual([9, 11]);
  },
);

test('ask() answers at once, without the worker, after load() of a small fleet, also if a large fleet was loaded before (MAP-13)', async () => {
  const spots = markerSpots(MAX_ZOOM, await aWorker());
  spots.load(field(MIN_MARKERS_FOR_WORKER));
  expect((await answer(spots, 7)).length).toBeLessThan(MIN_MARKERS_FOR_WORKER);
  spots.load(field(3));
  let found: readonly MarkerSpot[] = [];
  spots.ask(ALL, MAX_ZOOM, (answered) => {
    found = answered;
  });
  expect(found).toHaveLength(3);
});
