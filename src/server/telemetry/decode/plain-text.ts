const ZERO = 0;

/**
 * Converts a text file to UTF-8 without a byte order mark. UTF-16 is recognized by its byte order mark, or by the zero byte in its
 * first character, which is ASCII in every log.
 */
export async function* decodeToUtf8(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let head: Uint8Array | undefined = new Uint8Array();
  let decoder: TextDecoder | undefined;
  const encoder = new TextEncoder();
  const asUtf8 = (piece: Uint8Array): Uint8Array =>
    decoder ? encoder.encode(decoder.decode(piece, { stream: true })) : piece;
  for await (const piece of pieces) {
    if (head === undefined) {
      yield asUtf8(piece);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < 3) continue;
    decoder = decoderOf(head);
    yield asUtf8(decoder || !hasUtf8Mark(head) ? head : head.subarray(3));
    head = undefined;
  }
  if (head) yield head;
}

const NEWLINE = 10;
const RETURN = 13;

/** Replaces carriage returns by line feeds if the first line of the text ends with only a carriage return. */
export async function* normalizeCarriageReturns(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let hasReturns: boolean | undefined;
  let isAfterReturn = false;
  for await (const piece of pieces) {
    let text = piece;
    if (hasReturns === undefined) {
      const first = isAfterReturn ? 0 : piece.findIndex((code) => code === NEWLINE || code === RETURN);
      if (isAfterReturn) text = Buffer.concat([Buffer.of(RETURN), piece]);
      else if (first >= 0 && piece[first] === RETURN && first === piece.length - 1) {
        isAfterReturn = true;
        yield piece.subarray(0, first);
        continue;
      }
      if (isAfterReturn && piece.length === 0) continue;
      if (first >= 0)
        hasReturns = isAfterReturn
          ? piece[0] !== NEWLINE
          : piece[first] === RETURN && piece[first + 1] !== NEWLINE;
      isAfterReturn = false;
    }
    yield hasReturns ? text.map((code) => (code === RETURN ? NEWLINE : code)) : text;
  }
  if (isAfterReturn) yield Buffer.of(NEWLINE);
}

/** Returns the decoder of a UTF-16 text; undefined when the text is UTF-8 or has one byte per character. */
function decoderOf([first = 1, second = 1]: Uint8Array): TextDecoder | undefined {
  const isLittle = (first === 0xff && second === 0xfe) || (first !== ZERO && second === ZERO);
  const isBig = (first === 0xfe && second === 0xff) || (first === ZERO && second !== ZERO);
  return isLittle || isBig ? new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be') : undefined;
}

const hasUtf8Mark = (text: Uint8Array): boolean => text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;
