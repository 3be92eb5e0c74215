import type { LogFormat } from './log-file-name.ts';
import type { Said } from './log-outcome.ts';

/** Bytes at the beginning of a file that are looked at. */
export const LOOK_BYTES = 1024;

type Look = { readonly pattern: RegExp; readonly said: Said; readonly format?: LogFormat };

/** How files begin, and what they are then, as far as people give them the ending of another kind. */
const LOOKS: readonly Look[] = [
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

function kind(pattern: RegExp, nl: string, en: string): Look {
  return { pattern, said: { nl: `dit is ${nl}`, en: `this is ${en}` } };
}

function named(format: LogFormat, pattern: RegExp, nl: string, en: string, ending: string): Look {
  const look = kind(
    pattern,
    `${nl}: geef het een naam op ${ending}`,
    `${en}: give it a name that ends with ${ending}`,
  );
  return { ...look, format };
}

function other(pattern: RegExp, nl: string, en: string): Look {
  return kind(
    pattern,
    `${nl}, dat niet wordt gelezen: sla het op als candump, ASC, BLF, TRC of MF4`,
    `${en}, which is not read: save it as candump, ASC, BLF, TRC or MF4`,
  );
}

/**
 * Returns what a file is that cannot be read as the format that its name says; undefined: its format, or nothing known.
 * @param head its beginning
 */
export function lookOf(head: Uint8Array, format: LogFormat): Said | undefined {
  const text = Buffer.from(head).toString('latin1');
  const look = LOOKS.find(({ pattern }) => pattern.test(text));
  return look?.format === format ? undefined : look?.said;
}
