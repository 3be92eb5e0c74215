/** Told of each line: its bytes are `start` up to `end` of `text`, valid only during the call. */
export type OnLine = (text: Uint8Array, start: number, end: number, byteOffset: number) => void;

/** Longer than any line that a log can hold; what is longer is one bad line. */
export const LONGEST_LINE = 1024;
const NEWLINE = 10;

/**
 * Cuts a stream of bytes into lines, whatever the pieces are. Holds one line at most: a file without line
 * ends does not grow in memory, its line comes out as its first 1,025 bytes.
 */
export class TextLines {
  readonly #onLine: OnLine;
  readonly #rest = new Uint8Array(LONGEST_LINE + 1);
  #restLength = 0;
  /** Of the line that is being gathered, in the whole text. */
  #lineOffset = 0;
  #offset = 0;

  /** @param byteOffset where in the text the first piece begins */
  constructor(onLine: OnLine, byteOffset: number) {
    this.#onLine = onLine;
    this.#lineOffset = byteOffset;
    this.#offset = byteOffset;
  }

  push(piece: Uint8Array): void {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      if (this.#restLength === 0) this.#onLine(piece, start, end, this.#lineOffset);
      else {
        this.#keep(piece, start, end);
        this.#sendRest();
      }
      start = end + 1;
      this.#lineOffset = this.#offset + start;
    }
    this.#keep(piece, start, piece.length);
    this.#offset += piece.length;
  }

  /** The last line, when it has no line end. */
  end(): void {
    if (this.#restLength > 0) this.#sendRest();
  }

  /** Bytes of the text up to the line that is not complete yet. */
  get completeTo(): number {
    return this.#lineOffset;
  }

  #keep(piece: Uint8Array, start: number, end: number): void {
    const length = Math.min(end - start, this.#rest.length - this.#restLength);
    this.#rest.set(piece.subarray(start, start + length), this.#restLength);
    this.#restLength += length;
  }

  #sendRest(): void {
    const length = this.#restLength;
    this.#restLength = 0;
    this.#onLine(this.#rest, 0, length, this.#lineOffset);
  }
}
