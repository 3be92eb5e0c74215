import { countBadLine, type LogStats, printableLineStart } from '#server/telemetry/decode/log-outcome.ts';
import type { LogOffset } from '#server/telemetry/decode/second-readings.ts';
import type { FrameLineParser, NamedBus } from './can-frame.ts';
import type { FrameReader, FrameSink } from './frame-reader.ts';

/** Reads a log of CAN frames, one per line. */
export class LineReader implements FrameReader {
  readonly #parsed: FrameLineParser;
  readonly #sink: FrameSink;
  readonly #stats: LogStats;
  readonly #lines: TextLines;
  readonly #from: number;
  readonly #began = { byteOffset: 0, line: 0 };
  #offset = 0;
  #line: number;
  /** Whether the current line has a line end; false for a last line without one. */
  #whole = true;

  /** Creates the reader. @param from lines before this place were read earlier and are skipped */
  constructor(line: FrameLineParser, sink: FrameSink, stats: LogStats, from: LogOffset) {
    this.#parsed = line;
    this.#sink = sink;
    this.#stats = stats;
    this.#lines = new TextLines(this.#readLine, from.byteOffset);
    this.#from = from.byteOffset;
    this.#line = from.line;
  }

  push(piece: Uint8Array): void {
    const passed = Math.max(0, this.#from - this.#offset);
    this.#offset += piece.length;
    this.#lines.push(piece.subarray(passed));
  }

  /**
   * Ends the text. A last line without a line end is used if it can be read: a truncated candump line is a frame with fewer bytes, of
   * which only the signals that lie within those bytes are decoded.
   */
  end(): void {
    this.#whole = false;
    this.#lines.end();
  }

  get place(): LogOffset {
    return { byteOffset: this.#lines.completeTo, line: this.#line };
  }

  get buses(): readonly NamedBus[] | undefined {
    return this.#parsed.buses;
  }

  readonly #readLine = (text: Uint8Array, start: number, end: number, byteOffset: number): void => {
    const line = this.#line;
    this.#line += 1;
    const kind = this.#parsed.read(text, start, end, this.#whole);
    if (kind === 'blank') return;
    if (kind === 'bad') {
      const { expected } = this.#parsed;
      countBadLine(this.#stats, line + 1, () => ({
        text: printableLineStart(text.subarray(start, end)),
        expected,
      }));
      return;
    }
    this.#began.byteOffset = byteOffset;
    this.#began.line = line;
    this.#sink.frame(kind, this.#parsed.frame, this.#began);
  };
}

/** Receives a line: bytes `start` up to `end` of `text`, which are valid during the call only. */
type OnLine = (text: Uint8Array, start: number, end: number, byteOffset: number) => void;

/** Maximum length of a line in bytes, larger than any valid line; a longer line counts as one bad line. */
export const MAX_LOG_LINE_BYTES = 1024;
const NEWLINE = 10;

/**
 * Splits a stream of bytes, which arrives in parts of any size, into lines. Holds at most one line: of a line without an end only
 * the first 1,025 bytes are passed on, so that memory use does not grow.
 */
export class TextLines {
  readonly #onLine: OnLine;
  readonly #rest = new Uint8Array(MAX_LOG_LINE_BYTES + 1);
  #restLength = 0;
  /** Offset of the current line in the whole text. */
  #lineOffset = 0;
  #offset = 0;

  /** Creates the splitter. @param byteOffset offset of the first part in the text */
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

  /** Passes on the last line if it has no line end. */
  end(): void {
    if (this.#restLength > 0) this.#sendRest();
  }

  /** Offset in the text of the first incomplete line. */
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
