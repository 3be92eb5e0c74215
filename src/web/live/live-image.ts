/** One answer of GET /api/live as the screens use it. */
import type { LiveEntry } from '#shared/contract/live.ts';
import { parseLive } from './live-check.ts';

export type LiveImage = {
  /** In the order of the answer; JSON.parse puts keys that are whole numbers first, by value. */
  readonly entries: readonly LiveEntry[];
  /** By serial number (machines) or loggerid (LMB loggers), in the same order. */
  readonly byKey: ReadonlyMap<string, LiveEntry>;
  /** What the answerer knows this image by (live-answerer.ts); absent when it came from the browser's store. */
  readonly version?: number;
};

/**
 * The image of an answer; undefined when `text` is not one. In it,
 * everything that equals `previous` is `previous`' own object: an entry, its
 * metadata, the list. So a screen redraws only what changed.
 */
export function imageOf(text: string, previous?: LiveImage): LiveImage | undefined {
  const answer = parseLive(text);
  if (!answer) return undefined;
  const byKey = new Map<string, LiveEntry>();
  for (const key in answer) byKey.set(key, kept(answer[key]!, previous?.byKey.get(key)));
  return imageWith(byKey, previous);
}

/** The image of these entries; `previous`' own lists when they hold the very same entries in the same order. */
export function imageWith(byKey: ReadonlyMap<string, LiveEntry>, previous?: LiveImage): LiveImage {
  const entries = [...byKey.values()];
  const same =
    previous?.entries.length === entries.length && entries.every((e, i) => e === previous.entries[i]);
  return same ? { entries: previous.entries, byKey: previous.byKey } : { entries, byKey };
}

/** `entry`, or as much of `before` as equals it. */
export function kept(entry: LiveEntry, before: LiveEntry | undefined): LiveEntry {
  if (!before) return entry;
  const metadata = isEqual(entry.metadata, before.metadata) ? before.metadata : entry.metadata;
  // A machine that reported has a new time: the usual case, and the cheapest test.
  const hasReported = entry.liveData.GMT_UNIX !== before.liveData.GMT_UNIX;
  if (metadata === before.metadata && !hasReported && isEqual(entry.liveData, before.liveData)) return before;
  return { metadata, liveData: entry.liveData };
}

/** The parts of one answer hold nothing but JSON: equal when all of their fields are, at any depth. */
function isEqual(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return a === b;
  for (const name in a) if (!isEqual(a[name], b[name])) return false;
  for (const name in b) if (!(name in a)) return false;
  return true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
