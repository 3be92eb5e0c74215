import { bytesOfDataUrl } from '#server/platform/data-url.ts';
import { safeFileName } from '#server/platform/file-name.ts';
import { invalidInputError, ProblemError } from '#server/platform/problem.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';

/** Maximum size of a DBC file. The largest known DBC file, of a whole car, has half a MiB. */
const MAX_SIZE_BYTES = 4 * 1024 * 1024;

/** An uploaded DBC file: its sanitized name, and its text. */
export type DbcFile = { readonly name: string; readonly text: string };

/**
 * Reads an uploaded DBC file.
 * @param file a data URL; UTF-8, Windows-1252, or UTF-16 with its byte order mark
 * @throws ProblemError 400 without a file or text; 413 over 4 MiB
 */
export function readDbcFile(givenName: string, file: string): DbcFile {
  const bytes = bytesOfDataUrl(file);
  if (bytes.length > MAX_SIZE_BYTES)
    throw new ProblemError('too_large', 'Een DBC-bestand mag hoogstens 4 MB zijn.');
  const name = safeFileName(givenName, 'dbc', 'can');
  const text = textOf(bytes);
  if (text.includes('\0')) throw invalidInputError(`${name} is geen tekst: dit is geen DBC-bestand.`);
  return { name, text };
}

function textOf(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  return decodeText(bytes);
}
