/**
 * Whether a text is an answer of GET /api/live. By hand, because zod stays out of the browser: the text may come
 * from localStorage, where anybody can write, or from a newer server than this page.
 */
import type { LiveResponse } from '#shared/domain/live.ts';

/** The answer in `text`; undefined when it is not JSON or any entry has another shape than domain/live.ts. */
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
