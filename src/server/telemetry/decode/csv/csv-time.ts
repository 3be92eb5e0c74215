const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|z|UTC|[+-]\d\d(?::?\d\d)?)?$/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

// An epoch below the first limit is in seconds (up to the year 5138), below the second in milliseconds; a larger one is in
// microseconds.
const SECONDS_BELOW = 1e11;
const MILLISECONDS_BELOW = 1e14;
const MICROSECONDS_BELOW = 1e17;

/**
 * Returns the time in a cell of a CSV, in milliseconds: ISO 8601 with a zone, or seconds, milliseconds or microseconds
 * since 1970, according to its size. Returns undefined for any other text.
 * @param decimalComma whether `1732152000,5` is a number in this file
 */
export function readCsvTime(cell: string, decimalComma: boolean): number | 'no zone' | undefined {
  const number = readCsvNumber(cell, decimalComma);
  if (number !== undefined) {
    if (number < 0 || number >= MICROSECONDS_BELOW) return undefined;
    if (number < SECONDS_BELOW) return number * 1000;
    return number < MILLISECONDS_BELOW ? number : number / 1000;
  }
  return readIsoTime(cell);
}

/** Returns an ISO 8601 date and time in milliseconds; undefined for any other text. */
export function readIsoTime(text: string): number | 'no zone' | undefined {
  const parts = ISO.exec(text);
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const fraction = Number(`0.${parts[7] ?? 0}`);
  const wall = Date.UTC(year!, month! - 1, day, hour, minute, second);
  const date = new Date(wall);
  // Date.UTC turns 30 February into 1 March, so an impossible date changes.
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day || date.getUTCHours() !== hour)
    return undefined;
  if (date.getUTCMinutes() !== minute || date.getUTCSeconds() !== second) return undefined;
  const zone = parts[8];
  return zone === undefined ? 'no zone' : wall + fraction * 1000 - zoneMinutes(zone) * 60_000;
}

/** Returns a decimal number; undefined for hexadecimal, Infinity, thousands separators and any other text. */
export function readCsvNumber(cell: string, decimalComma: boolean): number | undefined {
  const spelled = decimalComma ? cell.replace(',', '.') : cell;
  if (!NUMBER.test(spelled)) return undefined;
  const value = Number(spelled);
  return Number.isFinite(value) ? value : undefined;
}

function zoneMinutes(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''));
  return zone.startsWith('-') ? -minutes : minutes;
}
