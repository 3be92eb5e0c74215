/** The difference between two states of the live data, in slices that the worker sends to the page without blocking it. */
import type { LiveData, LiveMetadata } from '#shared/contract/live.ts';
import type { Attention } from '#shared/domain/attention.ts';
import {
  type FleetEntry,
  type LiveSnapshot,
  liveSnapshotWithEntries,
  reuseUnchanged,
} from './live-snapshot.ts';

/** Machines per slice. A page reads a slice in some 2 ms, and ten thousand machines at once in some 30 ms. */
export const SLICE_ROWS = 1_000;

/**
 * A changed entry: its key, live data and attention reasons (0 for an empty list), and its metadata if that changed
 * too.
 */
type LiveRow = readonly [
  key: string,
  liveData: LiveData,
  reasons: readonly Attention[] | 0,
  metadata?: LiveMetadata,
];
const NONE: readonly Attention[] = [];

export type LiveChange = {
  /** Lists of rows as JSON texts. A browser copies and parses a text several times faster than it copies objects. */
  readonly slices: readonly string[];
  /** All keys in their order; absent if keys and order are unchanged. */
  readonly keys?: readonly string[];
};

/**
 * Returns the change from `previous` to `next`; undefined if there is none. Compares by identity, so `next` must come from
 * parseLiveSnapshot with `previous`, whose unchanged objects it reuses.
 */
export function liveChangeOf(next: LiveSnapshot, previous: LiveSnapshot | undefined): LiveChange | undefined {
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

/** Adds the entries of one slice to `into`. Throws if the change does not start from `previous`. */
export function applyLiveSlice(
  slice: string,
  previous: LiveSnapshot | undefined,
  into: Map<string, FleetEntry>,
): void {
  for (const [key, liveData, found, metadata] of JSON.parse(slice) as LiveRow[]) {
    const before = previous?.byKey.get(key);
    const named = metadata ?? before?.metadata;
    if (!named) throw new Error(`A change of ${key}, which is not known.`);
    const reasons = found === 0 ? NONE : found;
    const entry = metadata
      ? reuseUnchanged({ metadata, liveData }, before, reasons)
      : { metadata: named, liveData, reasons };
    into.set(key, entry);
  }
}

/** Applies changed entries to `previous`, in the order of `keys` if given. Throws if a key has no entry. */
export function applyLiveChange(
  previous: LiveSnapshot | undefined,
  changed: ReadonlyMap<string, FleetEntry>,
  keys: readonly string[] | undefined,
): LiveSnapshot {
  const byKey = new Map<string, FleetEntry>();
  for (const key of keys ?? previous?.byKey.keys() ?? []) {
    const entry = changed.get(key) ?? previous?.byKey.get(key);
    if (!entry) throw new Error(`No data of ${key}.`);
    byKey.set(key, entry);
  }
  return liveSnapshotWithEntries(byKey, previous);
}

/**
 * Returns the live data `image` in the format and order of a response of GET /api/live. Joins the JSON by hand, because an
 * object puts numeric keys first.
 */
export const liveSnapshotJson = (image: LiveSnapshot): string =>
  `{${Array.from(image.byKey, ([key, { metadata, liveData }]) => `${JSON.stringify(key)}:${JSON.stringify({ metadata, liveData })}`).join()}}`;

const areSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, at) => key === b[at]);
