/** What is different between two images, in pieces that cross from the worker to the page without holding it up. */
import type { LiveData, LiveMetadata } from '#shared/contract/live.ts';
import type { Attention } from '#shared/domain/attention.ts';
import { imageWith, kept, type LiveImage, type SeenEntry } from './live-image.ts';

/** Machines per slice: at ten thousand a piece is read in some 2 ms, the whole at once in some 30. */
export const SLICE_ROWS = 1_000;

/** Key, new live data and their reasons (0: none), and the metadata when that is new too. */
type LiveRow = readonly [
  key: string,
  liveData: LiveData,
  reasons: readonly Attention[] | 0,
  metadata?: LiveMetadata,
];
const NONE: readonly Attention[] = [];

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
    const reasons = entry.reasons.length === 0 ? 0 : entry.reasons;
    rows.push(metadata === before?.metadata ? [key, liveData, reasons] : [key, liveData, reasons, metadata]);
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
  into: Map<string, SeenEntry>,
): void {
  for (const [key, liveData, found, metadata] of JSON.parse(slice) as LiveRow[]) {
    const before = previous?.byKey.get(key);
    const named = metadata ?? before?.metadata;
    if (!named) throw new Error(`A change of ${key}, which is not known.`);
    const reasons = found === 0 ? NONE : found;
    const entry = metadata
      ? kept({ metadata, liveData }, before, reasons)
      : { metadata: named, liveData, reasons };
    into.set(key, entry);
  }
}

/** `previous` with these entries changed, in the order of `keys` when that is given. */
export function imageAfter(
  previous: LiveImage | undefined,
  changed: ReadonlyMap<string, SeenEntry>,
  keys: readonly string[] | undefined,
): LiveImage {
  const byKey = new Map<string, SeenEntry>();
  for (const key of keys ?? previous?.byKey.keys() ?? []) {
    const entry = changed.get(key) ?? previous?.byKey.get(key);
    if (!entry) throw new Error(`No data of ${key}.`);
    byKey.set(key, entry);
  }
  return imageWith(byKey, previous);
}

/** The image as GET /api/live would answer it, in its order: an object would put whole numbers first. */
export const textOf = (image: LiveImage): string =>
  `{${Array.from(image.byKey, ([key, { metadata, liveData }]) => `${JSON.stringify(key)}:${JSON.stringify({ metadata, liveData })}`).join()}}`;

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, at) => key === b[at]);
