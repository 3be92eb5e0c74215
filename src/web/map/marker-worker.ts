/** The worker with the marker index of a large fleet. */
import { type Bounds, type MarkerIndex, type MarkerSpot, markerIndex } from './marker-index.ts';

/** `degrees`: latitude and longitude of each place, alternating. */
export type MarkerPlaces = { readonly degrees: Float64Array; readonly maxZoom: number };
export type MarkerRequest = { readonly id: number; readonly bounds: Bounds; readonly zoom: number };
export type MarkerAnswer = { readonly id: number; readonly spots: readonly MarkerSpot[] };

let index: MarkerIndex | undefined;

self.addEventListener('message', ({ data }: MessageEvent<MarkerPlaces | MarkerRequest>) => {
  if ('degrees' in data) {
    const { degrees, maxZoom } = data;
    const places = Array.from({ length: degrees.length / 2 }, (_, at) => ({
      lat: degrees[2 * at] ?? 0,
      lon: degrees[2 * at + 1] ?? 0,
    }));
    index = markerIndex(places, maxZoom);
  } else {
    const answer: MarkerAnswer = { id: data.id, spots: index?.spotsIn(data.bounds, data.zoom) ?? [] };
    self.postMessage(answer);
  }
});
