/** One answer of GET /api/live as the screens use it. */
import type { LiveData, LiveEntry, LiveMetadata, LiveResponse } from '#shared/domain/live.ts';

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

/**
 * The answer in `text`; undefined when it is not JSON or any entry has another shape than domain/live.ts. By hand,
 * because zod stays out of the browser: the text may come from localStorage, where anybody can write, or from a newer
 * server than this page.
 */
export function parseLive(text: string): LiveResponse | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(value) && allValues(value, isEntry) ? (value as LiveResponse) : undefined;
}

type Loose = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);

/** What JSON.parse made has no inherited keys; and this runs for ten thousand machines every 5 s. */
function allValues(object: Loose, isRight: (value: unknown) => boolean): boolean {
  for (const name in object) {
    if (!isRight(object[name])) return false;
  }
  return true;
}

const isEntry = (value: unknown): boolean =>
  isObject(value) && isMetadata(value.metadata) && isLiveData(value.liveData);

const isMetadata = (value: unknown): boolean =>
  isObject(value) &&
  (value.kind === 'machine' || value.kind === 'logger') &&
  typeof value.serialNumber === 'string' &&
  typeof value.organization === 'string' &&
  typeof value.cleanorg === 'string' &&
  typeof value.alias === 'string' &&
  typeof value.brand === 'string' &&
  typeof value.model === 'string' &&
  typeof value.macaddress === 'string' &&
  typeof value.loggerId === 'string' &&
  isListOf(value.batteries, isBattery) &&
  isListOf(value.hulpstukken, isAccessory);

const isBattery = (item: unknown): boolean =>
  isObject(item) && (item.capacity === null || isNumber(item.capacity));
const isAccessory = (item: unknown): boolean =>
  isObject(item) && typeof item.naam === 'string' && isNumber(item.nummer);

const isLiveData = (value: unknown): boolean =>
  isObject(value) &&
  isNumber(value.LATITUDE) &&
  isNumber(value.LONGITUDE) &&
  isNumber(value.GMT_UNIX) &&
  allValues(value, isNumber);
