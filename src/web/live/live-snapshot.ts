/** A response of GET /api/live in the form that screens use. */
import type { LiveData, LiveEntry, LiveMetadata, LiveResponse } from '#shared/contract/live.ts';
import { type Attention, batteryReasons } from '#shared/domain/attention.ts';

/** An entry with the reasons why it needs attention. */
export type FleetEntry = LiveEntry & { readonly reasons: readonly Attention[] };

export type LiveSnapshot = {
  /** In the order of the text of the response. */
  readonly entries: readonly FleetEntry[];
  /** By serial number (machines) or loggerid (LMB loggers), in the same order. */
  readonly byKey: ReadonlyMap<string, FleetEntry>;
  /** Version that the fetcher gave these live data (live-fetcher.ts); absent if they come from the browser's storage. */
  readonly version?: number;
};

/**
 * Parses a response; undefined if `text` is not one. Reuses the objects of `previous` (entries, metadata, the
 * list) that are equal, so that a screen renders only what has changed.
 */
export function parseLiveSnapshot(text: string, previous?: LiveSnapshot): LiveSnapshot | undefined {
  const answer = parseLive(text);
  if (!answer) return undefined;
  const byKey = new Map<string, FleetEntry>();
  for (const key of keysInOrder(text, answer))
    byKey.set(key, reuseUnchanged(answer[key]!, previous?.byKey.get(key)));
  return liveSnapshotWithEntries(byKey, previous);
}

/**
 * Returns the live data with these entries; reuses the list of `previous` if it contains the same objects in the
 * same order.
 */
export function liveSnapshotWithEntries(
  byKey: ReadonlyMap<string, FleetEntry>,
  previous?: LiveSnapshot,
): LiveSnapshot {
  const entries = [...byKey.values()];
  const same =
    previous?.entries.length === entries.length && entries.every((e, i) => e === previous.entries[i]);
  return same ? { entries: previous.entries, byKey: previous.byKey } : { entries, byKey };
}

/** Returns the entry of a serial number or loggerid: exact case first, then any case, because people type addresses. */
export function entryOf({ entries, byKey }: LiveSnapshot, key: string): FleetEntry | undefined {
  const asTyped = byKey.get(key);
  if (asTyped || key === '') return asTyped;
  const wanted = key.toLowerCase();
  return entries.find(({ metadata }) => metadata.serialNumber.toLowerCase() === wanted);
}

/**
 * Returns `entry`, with the objects of `before` that are equal to its own.
 * @param known the attention reasons, if the caller has computed them
 */
export function reuseUnchanged(
  entry: LiveEntry,
  before: FleetEntry | undefined,
  known?: readonly Attention[],
): FleetEntry {
  const { liveData } = entry;
  const metadata = before && sameMetadata(entry.metadata, before.metadata) ? before.metadata : entry.metadata;
  if (metadata === before?.metadata && sameLiveData(liveData, before.liveData)) return before;
  return { metadata, liveData, reasons: known ?? batteryReasons(liveData, metadata.batteries) };
}

// Compares the time first, because it differs whenever a machine reported and is cheap to compare.
const sameLiveData = (a: LiveData, b: LiveData): boolean => a.GMT_UNIX === b.GMT_UNIX && sameFields(a, b);

/** Compares field by field, which is several times faster than comparing JSON texts. */
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
 * Parses a response; undefined if `text` is no JSON or an entry does not have the shape of contract/live.ts.
 * The text may come from localStorage, which scripts and users can change, or from a newer server. Does not use zod,
 * because zod stays out of the browser.
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

/** Returns the keys in the order of the text. Scans the text only if there are numeric keys, which JavaScript puts first. */
function keysInOrder(text: string, answer: LiveResponse): Iterable<string> {
  const keys = Object.keys(answer);
  return /^\d+$/.test(keys[0] ?? '') ? new Set(keysInText(text)) : keys;
}

/** Scans the JSON text of an object of objects for the keys of the outer object. */
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

/** Returns the index of the closing quote of the string that begins at `from`: one after an even number of backslashes. */
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

/** Uses for-in, the fastest loop, because ten thousand machines are checked every 5 s. Results of JSON.parse have no inherited keys. */
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
