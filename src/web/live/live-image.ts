/** One answer of GET /api/live as the screens use it. */
import type { LiveData, LiveEntry, LiveMetadata } from '#shared/contract/live.ts';
import { METADATA_FIELDS, parseLive } from './live-check.ts';

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
  const metadata = sameMetadata(entry.metadata, before.metadata) ? before.metadata : entry.metadata;
  if (metadata === before.metadata && sameLiveData(entry.liveData, before.liveData)) return before;
  return { metadata, liveData: entry.liveData };
}

// A machine that reported has a new time: the usual case, and the cheapest test.
const sameLiveData = (a: LiveData, b: LiveData): boolean => a.GMT_UNIX === b.GMT_UNIX && sameFields(a, b);

/** Field by field: to make text of it, and compare that, takes several times longer. */
function sameMetadata(a: LiveMetadata, b: LiveMetadata): boolean {
  for (const field of METADATA_FIELDS) {
    const one = a[field];
    const other = b[field];
    if (one !== other && !(Array.isArray(one) && Array.isArray(other) && sameItems(one, other))) return false;
  }
  return true;
}

function sameItems(a: readonly Flat[], b: readonly Flat[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!sameFields(a[at]!, b[at]!)) return false;
  return true;
}

type Flat = Readonly<Record<string, string | number | null | undefined>>;

function sameFields(a: Flat, b: Flat): boolean {
  for (const name in a) if (a[name] !== b[name]) return false;
  for (const name in b) if (!(name in a)) return false;
  return true;
}
