/** What is different between two images, in pieces that cross from the worker to the page without holding it up. */
import type { LiveData, LiveEntry, LiveMetadata } from '#shared/contract/live.ts';
import { attentionOf } from '#shared/domain/attention.ts';
import { imageWith, kept, type LiveImage } from './live-image.ts';

/** Machines per slice: at ten thousand a piece is read in some 2 ms, the whole at once in some 30. */
export const SLICE_ROWS = 1_000;

/** Key, new live data, and the metadata when that is new too. */
type LiveRow = readonly [key: string, liveData: LiveData, metadata?: LiveMetadata];

export type LiveChange = {
  /** Each a list of rows as JSON, which a browser copies and reads several times faster than objects. */
  readonly slices: readonly string[];
  /** All keys in their order; absent when that is still the same. */
  readonly keys?: readonly string[];
};

/** What turns `previous` into `next`; undefined when nothing does. Told by identity, so `next` is of imageOf. */
export function changeOf(next: LiveImage, previous: LiveImage | undefined): LiveChange | undefined {
  if (previous && next.entries === previous.entries) return undefined;
  const rows: LiveRow[] = [];
  for (const [key, entry] of next.byKey) {
    const before = previous?.byKey.get(key);
    if (entry === before) continue;
    const { metadata, liveData } = entry;
    rows.push(metadata === before?.metadata ? [key, liveData] : [key, liveData, metadata]);
  }
  const slices: string[] = [];
  for (let from = 0; from < rows.length; from += SLICE_ROWS)
    slices.push(JSON.stringify(rows.slice(from, from + SLICE_ROWS)));
  const keys = [...next.byKey.keys()];
  return previous && areSame(keys, [...previous.byKey.keys()]) ? { slices } : { slices, keys };
}

/** Reads one slice into `into`. `previous` is the image that the change is on top of. */
export function readSlice(
  slice: string,
  previous: LiveImage | undefined,
  into: Map<string, LiveEntry>,
): void {
  for (const [key, liveData, metadata] of JSON.parse(slice) as LiveRow[]) {
    const before = previous?.byKey.get(key);
    const named = metadata ?? before?.metadata;
    if (!named) throw new Error(`A change of ${key}, which is not known.`);
    const entry = metadata ? kept({ metadata, liveData }, before) : { metadata: named, liveData };
    into.set(key, entry);
    // Map, strip and lists ask for it when the image is whole, of ten thousand at once: here it is remembered, slice by slice.
    attentionOf(entry, Date.now(), { seesPositions: false });
  }
}

/** `previous` with these entries changed, in the order of `keys` when that is given. */
export function imageAfter(
  previous: LiveImage | undefined,
  changed: ReadonlyMap<string, LiveEntry>,
  keys: readonly string[] | undefined,
): LiveImage {
  const byKey = new Map<string, LiveEntry>();
  for (const key of keys ?? previous?.byKey.keys() ?? []) {
    const entry = changed.get(key) ?? previous?.byKey.get(key);
    if (!entry) throw new Error(`No data of ${key}.`);
    byKey.set(key, entry);
  }
  return imageWith(byKey, previous);
}

/** The image as GET /api/live would answer it, in its order: an object would put whole numbers first. */
export const textOf = (image: LiveImage): string =>
  `{${Array.from(image.byKey, ([key, entry]) => `${JSON.stringify(key)}:${JSON.stringify(entry)}`).join()}}`;

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, at) => key === b[at]);
