/**
 * Whether a text is an answer of GET /api/live. By hand, because zod stays out of the browser: the text may come
 * from localStorage, where anybody can write, or from a newer server than this page.
 */
import type { LiveMetadata, LiveResponse } from '#shared/contract/live.ts';

/** The answer in `text`; undefined when it is not JSON or any entry has another shape than contract/live.ts. */
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
export const METADATA_FIELDS = Object.keys(METADATA) as (keyof LiveMetadata)[];

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
