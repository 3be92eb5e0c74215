import type { LogFormat } from './log-file-name.ts';
import type { BilingualText } from './log-outcome.ts';

/** Number of bytes at the beginning of a file that are compared with the signatures. */
export const SIGNATURE_BYTES = 1024;

type Signature = { readonly pattern: RegExp; readonly text: BilingualText; readonly format?: LogFormat };

/** Beginnings of files that people give the extension of another format. */
const SIGNATURES: readonly Signature[] = [
  named('mf4', /^(?:MDF {5}|UnFinMF )/, 'een MF4-bestand', 'an MF4 file', '.mf4'),
  named('blf', /^LOGG/, 'een BLF-bestand (Vector)', 'a BLF file (Vector)', '.blf'),
  kind(
    /^PK\p{Cc}\p{Cc}/u,
    'een ZIP- of Excelbestand: pak het uit, of sla het op als CSV',
    'a ZIP or Excel file: unpack it, or save it as CSV',
  ),
  kind(/^%PDF/, 'een PDF-bestand', 'a PDF file'),
  kind(/^(?:\u0089PNG|\u00ff\u00d8\u00ff)/, 'een afbeelding', 'a picture'),
  named(
    'asc',
    /^\s*(?:date\s+\w|base\s+(?:hex|dec)\b)/i,
    'een ASC-bestand (Vector)',
    'an ASC file (Vector)',
    '.asc',
  ),
  named(
    'trc',
    /^\s*;\s*(?:\$FILEVERSION|Start time)/i,
    'een TRC-bestand (PEAK)',
    'a TRC file (PEAK)',
    '.trc',
  ),
  named('candump', /^\s*\(\d+\.\d+\)\s+\S+\s+[0-9A-F]/i, 'een log van candump', 'a log of candump', '.log'),
  other(/^\s*\*\*\*BUSMASTER/i, 'een log van BUSMASTER', 'a log of BUSMASTER'),
  other(/^\s*(?:Kvaser Memorator|Chn\s+Identifier\s)/i, 'een log van Kvaser', 'a log of Kvaser'),
  other(
    /^# Logger type: CL/i,
    'een log van een CL1000, CL2000 of CL3000',
    'a log of a CL1000, CL2000 or CL3000',
  ),
  kind(
    /^\$G[A-Z]{4},/,
    'een log van NMEA-zinnen: neem posities op als GPX',
    'a log of NMEA sentences: record positions as GPX',
  ),
  other(/^[tTrR][0-9A-F]{4,}\s/, 'een log van SLCAN', 'a log of SLCAN'),
  named('gpx', /^\s*(?:<\?xml[^>]{0,200}>\s*)?<gpx/i, 'een GPX-bestand', 'a GPX file', '.gpx'),
  kind(/^\s*<(?:!doctype html|html)/i, 'een webpagina', 'a web page'),
  kind(/^\s*[{[]/, 'een JSON-bestand', 'a JSON file'),
  named(
    'csv',
    /^\s*"?(?:time ?stamp|time|tijd|gmt_unix|rtc_unix|datetime)"?[,;\t|]/i,
    'een CSV-bestand',
    'a CSV file',
    '.csv',
  ),
];

function kind(pattern: RegExp, nl: string, en: string): Signature {
  return { pattern, text: { nl: `dit is ${nl}`, en: `this is ${en}` } };
}

function named(format: LogFormat, pattern: RegExp, nl: string, en: string, ending: string): Signature {
  const signature = kind(
    pattern,
    `${nl}: geef het een naam op ${ending}`,
    `${en}: give it a name that ends with ${ending}`,
  );
  return { ...signature, format };
}

function other(pattern: RegExp, nl: string, en: string): Signature {
  return kind(
    pattern,
    `${nl}, dat niet wordt gelezen: sla het op als candump, ASC, BLF, TRC of MF4`,
    `${en}, which is not read: save it as candump, ASC, BLF, TRC or MF4`,
  );
}

/**
 * Describes what a file is when it cannot be read as the format of its name. Returns undefined when the beginning
 * matches that format, or no known one.
 * @param head beginning of the file
 */
export function foreignFormatText(head: Uint8Array, format: LogFormat): BilingualText | undefined {
  const beginning = Buffer.from(head).toString('latin1');
  const signature = SIGNATURES.find(({ pattern }) => pattern.test(beginning));
  return signature?.format === format ? undefined : signature?.text;
}
