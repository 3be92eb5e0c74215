import { bytesOfDataUrl } from '#server/platform/data-url.ts';
import { safeFileName } from '#server/platform/file-name.ts';
import { invalid, ProblemError } from '#server/platform/problem.ts';
import { type Dbc, DbcError } from '#server/telemetry/decode/dbc/dbc.ts';
import { parseDbc } from '#server/telemetry/decode/dbc/dbc-parse.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';

const MOST_BYTES = 8 * 1024 * 1024;

/** A DBC file that somebody uploaded: its name made safe, its text, and what it says. */
export type DbcFile = { readonly name: string; readonly text: string; readonly dbc: Dbc };

/**
 * @param file a data URL; UTF-8, Windows-1252, or UTF-16 with its byte order mark
 * @throws ProblemError 400 no file, no DBC (with line and reason), or no signal in it; 413 over 8 MB
 */
export function readDbcFile(givenName: string, file: string): DbcFile {
  const bytes = bytesOfDataUrl(file);
  if (bytes.length > MOST_BYTES)
    throw new ProblemError('too_large', 'Een DBC-bestand mag hoogstens 8 MB zijn.');
  const name = safeFileName(givenName, 'dbc', 'can');
  const text = textOf(bytes);
  if (text.includes('\0')) throw invalid(`${name} is geen tekst: dit is geen DBC-bestand.`);
  const dbc = orInvalid(() => parseDbc(text, name));
  if (!dbc.messages.some(({ signals }) => signals.some(({ unreadable }) => unreadable === undefined)))
    throw invalid(`${name} bevat geen enkel leesbaar signaal (SG_).`);
  return { name, text, dbc };
}

function textOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  return decodeText(bytes);
}

/** A broken DBC is the sender's to mend, and says where it is broken. @throws ProblemError 400 */
function orInvalid<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DbcError) throw invalid(`${error.message}.`.replace(/\.\.$/, '.'));
    throw error;
  }
}
