/** One answer of GET /api/live as the screens use it. */
import type { LiveData, LiveEntry, LiveMetadata, LiveResponse } from '#shared/contract/live.ts';
import { type Attention, reasonsOf } from '#shared/domain/attention.ts';

/** An entry, and why its values want somebody to look at it. */
export type SeenEntry = LiveEntry & { readonly reasons: readonly Attention[] };

export type LiveImage = {
  /** In the order of the answer's text. */
  readonly entries: readonly SeenEntry[];
  /** By serial number (machines) or loggerid (LMB loggers), in the same order. */
  readonly byKey: ReadonlyMap<string, SeenEntry>;
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
  const byKey = new Map<string, SeenEntry>();
  for (const key of keysInOrder(text, answer)) byKey.set(key, kept(answer[key]!, previous?.byKey.get(key)));
  return imageWith(byKey, previous);
}

/** The image of these entries; `previous`' own lists when they hold the very same entries in the same order. */
export function imageWith(byKey: ReadonlyMap<string, SeenEntry>, previous?: LiveImage): LiveImage {
  const entries = [...byKey.values()];
  const same =
    previous?.entries.length === entries.length && entries.every((e, i) => e === previous.entries[i]);
  return same ? { entries: previous.entries, byKey: previous.byKey } : { entries, byKey };
}

/** The entry of that serial number or loggerid; upper and lower case are one, and an address is typed as it comes. */
export function entryOf({ entries, byKey }: LiveImage, key: string): SeenEntry | undefined {
  const asTyped = byKey.get(key);
  if (asTyped || key === '') return asTyped;
  const wanted = key.toLowerCase();
  return entries.find(({ metadata }) => metadata.serialNumber.toLowerCase() === wanted);
}

/**
 * `entry`, or as much of `before` as equals it.
 * @param known its reasons, when somebody found them before
 */
export function kept(
  entry: LiveEntry,
  before: SeenEntry | undefined,
  known?: readonly Attention[],
): SeenEntry {
  const { liveData } = entry;
  const metadata = before && sameMetadata(entry.metadata, before.metadata) ? before.metadata : entry.metadata;
  if (metadata === before?.metadata && sameLiveData(liveData, before.liveData)) return before;
  return { metadata, liveData, reasons: known ?? reasonsOf(liveData, metadata.batteries) };
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

/**
 * The answer in `text`; undefined when it is not JSON or any entry has another shape than contract/live.ts. By hand,
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

/**
 * The keys as they stand in the text: JavaScript puts those that are whole numbers first, by value. They are looked up in
 * the text only where there is such a one.
 */
function keysInOrder(text: string, answer: LiveResponse): Iterable<string> {
  const keys = Object.keys(answer);
  return /^\d+$/.test(keys[0] ?? '') ? new Set(keysInText(text)) : keys;
}

/** Of an object of objects that is known to be JSON: each string right in it is a key. */
function keysInText(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === '"') {
      const end = endOfString(text, at);
      if (depth === 1) keys.push(JSON.parse(text.slice(at, end + 1)) as string);
      at = end;
    }
  }
  return keys;
}

/** Where the string that begins at `from` has its last quote: one that no odd number of backslashes stands before. */
function endOfString(text: string, from: number): number {
  let end = from;
  let backslashes: number;
  do {
    end = text.indexOf('"', end + 1);
    backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
  } while (backslashes % 2 === 1);
  return end;
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

const isText = (value: unknown): boolean => typeof value === 'string';
const METADATA: { readonly [Field in keyof LiveMetadata]: (value: unknown) => boolean } = {
  kind: (value) => value === 'machine' || value === 'logger',
  serialNumber: isText,
  organization: isText,
  cleanorg: isText,
  alias: isText,
  brand: isText,
  model: isText,
  macaddress: isText,
  loggerId: isText,
  batteries: (value) => isListOf(value, isBattery),
  hulpstukken: (value) => isListOf(value, isAccessory),
};
const METADATA_FIELDS = Object.keys(METADATA) as (keyof LiveMetadata)[];

function isMetadata(value: unknown): boolean {
  if (!isObject(value)) return false;
  for (const field of METADATA_FIELDS) if (!METADATA[field](value[field])) return false;
  return true;
}

const isBattery = (item: unknown): boolean =>
  isObject(item) && (item.capacity === null || isNumber(item.capacity));
const isAccessory = (item: unknown): boolean => isObject(item) && isText(item.naam) && isNumber(item.nummer);

const isLiveData = (value: unknown): boolean =>
  isObject(value) &&
  isNumber(value.LATITUDE) &&
  isNumber(value.LONGITUDE) &&
  isNumber(value.GMT_UNIX) &&
  allValues(value, isNumber);
