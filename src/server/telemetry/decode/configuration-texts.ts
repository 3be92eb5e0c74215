/**
 * Blanks all texts in the configuration file of a CANedge (JSON). The file contains the logger's S3 secret, network passwords and
 * PIN in clear text, in fields that differ by firmware. Keys, numbers and the length of the file stay the same. A file that is no
 * JSON, or incomplete, is blanked completely. Memory use grows with the file, but the upload endpoint accepts 1 MiB at most.
 */
export class ConfigurationTextBlanker {
  readonly #pieces: Buffer[] = [];

  push(piece: Uint8Array): Uint8Array {
    this.#pieces.push(Buffer.from(piece));
    return new Uint8Array();
  }

  end(): Uint8Array {
    const bytes = Buffer.concat(this.#pieces);
    return isJson(bytes) ? blankTexts(bytes) : bytes.fill(SPACE);
  }
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

/** Returns the bytes with all texts blanked. @param bytes valid JSON */
function blankTexts(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== QUOTE) continue;
    const end = endOfText(bytes, at + 1);
    if (!isKey(bytes, end)) bytes.fill(SPACE, at + 1, end);
    at = end;
  }
  return bytes;
}

/** Returns the index of the quote that ends a text. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function isKey(bytes: Buffer, quote: number): boolean {
  let at = quote + 1;
  while (at < bytes.length && (bytes[at] as number) <= SPACE) at += 1;
  return bytes[at] === COLON;
}
