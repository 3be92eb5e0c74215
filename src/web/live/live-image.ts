/** One answer of GET /api/live as the screens use it. */
import type { LiveData, LiveEntry, LiveMetadata } from '#shared/domain/live.ts';
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
  const metadata = sameMetadata(entry.metadata, before.metadata) ? before.metadata : entry.metadata;
  if (metadata === before.metadata && sameLiveData(entry.liveData, before.liveData)) return before;
  return { metadata, liveData: entry.liveData };
}

function sameLiveData(a: LiveData, b: LiveData): boolean {
  // A machine that reported has a new time: the usual case, and the cheapest test.
  if (a.GMT_UNIX !== b.GMT_UNIX) return false;
  for (const name in a) if (a[name] !== b[name]) return false;
  for (const name in b) if (!(name in a)) return false;
  return true;
}

const sameMetadata = (a: LiveMetadata, b: LiveMetadata): boolean =>
  a.kind === b.kind &&
  a.serialNumber === b.serialNumber &&
  a.organization === b.organization &&
  a.cleanorg === b.cleanorg &&
  a.alias === b.alias &&
  a.brand === b.brand &&
  a.model === b.model &&
  a.macaddress === b.macaddress &&
  a.loggerId === b.loggerId &&
  sameList(a.batteries, b.batteries, (x, y) => x.capacity === y.capacity) &&
  sameList(a.hulpstukken, b.hulpstukken, (x, y) => x.naam === y.naam && x.nummer === y.nummer);

function sameList<T>(a: readonly T[], b: readonly T[], same: (x: T, y: T) => boolean): boolean {
  return a.length === b.length && a.every((item, index) => same(item, b[index]!));
}
