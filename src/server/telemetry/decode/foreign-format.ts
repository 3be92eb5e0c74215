import type { ForeignFormat } from '#shared/domain/delivery-findings/format-texts.ts';
import type { LogFormat } from './log-file-name.ts';

/** Number of bytes at the beginning of a file that are compared with the signatures. */
export const SIGNATURE_LENGTH_BYTES = 1024;

/** Patterns for the beginnings of files that people give the extension of another format. The first pattern that matches is used. */
const SIGNATURES: Readonly<Record<ForeignFormat, RegExp>> = {
  mf4: /^(?:MDF {5}|UnFinMF )/,
  blf: /^LOGG/,
  zip: /^PK\p{Cc}\p{Cc}/u,
  pdf: /^%PDF/,
  picture: /^(?:\u0089PNG|\u00ff\u00d8\u00ff)/,
  asc: /^\s*(?:date\s+\w|base\s+(?:hex|dec)\b)/i,
  trc: /^\s*;\s*(?:\$FILEVERSION|Start time)/i,
  candump: /^\s*\(\d+\.\d+\)\s+\S+\s+[0-9A-F]/i,
  busmaster: /^\s*\*\*\*BUSMASTER/i,
  kvaser: /^\s*(?:Kvaser Memorator|Chn\s+Identifier\s)/i,
  cl1000: /^# Logger type: CL/i,
  nmea: /^\$G[A-Z]{4},/,
  slcan: /^[tTrR][0-9A-F]{4,}\s/,
  gpx: /^\s*(?:<\?xml[^>]{0,200}>\s*)?<gpx/i,
  'web-page': /^\s*<(?:!doctype html|html)/i,
  json: /^\s*[{[]/,
  csv: /^\s*"?(?:time ?stamp|time|tijd|gmt_unix|rtc_unix|datetime)"?[,;\t|]/i,
};

/**
 * Returns the format of a file that cannot be read as the format of its name; undefined when the beginning matches the format of
 * its name, or no known format.
 * @param head beginning of the file
 */
export function detectForeignFormat(head: Uint8Array, format: LogFormat): ForeignFormat | undefined {
  const beginning = Buffer.from(head).toString('latin1');
  const formats = Object.keys(SIGNATURES) as ForeignFormat[];
  const found = formats.find((one) => SIGNATURES[one].test(beginning));
  return found === format ? undefined : found;
}
