import {
  CanFrame,
  type FrameLineParser,
  type LogLineKind,
} from '#server/telemetry/decode/can-log/can-frame.ts';
import { dataLengthOf } from '#server/telemetry/decode/can-log/data-length.ts';
import { LineTokenizer } from '#server/telemetry/decode/can-log/line-tokenizer.ts';
import { type TrcColumn, TrcHeader } from './trc-header.ts';

/** Kinds of lines by the word in column `T`; 'blank' is a line without a frame. Versions 1.x have the direction in that column. */
const TYPES: readonly (readonly [string, LogLineKind, isFd: boolean])[] = [
  ['dt', 'frame', false],
  ['rx', 'frame', false],
  ['tx', 'frame', false],
  ['fd', 'frame', true],
  ['fb', 'frame', true],
  ['fe', 'frame', true],
  ['bi', 'frame', true],
  ['rr', 'remote', false],
  ['er', 'error', false],
  ['error', 'error', false],
  ['st', 'blank', false],
  ['ec', 'blank', false],
  ['ev', 'blank', false],
  ['warng', 'blank', false],
];

const SEMICOLON = 59;
const CLOSE = 41;
const STANDARD_DIGITS = 4;
const WARNING_ID = 0xffff_ffff;

/**
 * Reads the lines of a TRC file of PEAK's programs, versions 1.0 to 2.1 (PEAK CAN TRC File Format): `1 1059.900 DT 1 0300 Rx - 7
 * 00 00 …`. Offsets are in milliseconds. Bus 1 of the file is the portal's bus 0, as in files of the ReXgen exporter. HeaderTimeConverter
 * explains the dates.
 */
export class TrcLine implements FrameLineParser {
  readonly frame = new CanFrame();
  readonly expected = 'trc';
  readonly #words = new LineTokenizer();
  readonly #header: TrcHeader;
  #kind: LogLineKind = 'frame';
  #isFd = false;
  /** The length or length code in the line. */
  #written = 0;
  #whole = true;

  /** Creates the reader. @param utcStartMs start of the log according to its file name */
  constructor(utcStartMs?: number) {
    this.#header = new TrcHeader(utcStartMs);
  }

  read(text: Uint8Array, start: number, end: number, whole: boolean): LogLineKind {
    const words = this.#words;
    words.begin(text, start, end);
    if (!words.next()) return 'blank';
    if (words.firstCode === SEMICOLON) {
      this.#header.read(text.subarray(words.from, end));
      return 'blank';
    }
    words.begin(text, start, end);
    this.#whole = whole;
    this.#kind = 'frame';
    this.#isFd = false;
    this.frame.bus = 0;
    this.frame.length = 0;
    for (const column of this.#header.columns) {
      // A frame without data ends before its data column.
      if (!words.next()) return column === 'D' && this.#isComplete() ? this.#kind : 'bad';
      if (!this.#readColumn(column)) return 'bad';
      if (this.#isOver) break;
    }
    return this.#kind;
  }

  /** Whether the rest of the line is skipped: the line contains no frame, and its further columns differ by version. */
  get #isOver(): boolean {
    return this.#kind === 'blank' || this.#kind === 'error';
  }

  #isComplete(): boolean {
    return this.#kind === 'remote' || this.frame.length === 0;
  }

  #readColumn(column: TrcColumn): boolean {
    const { frame } = this;
    const words = this.#words;
    switch (column) {
      case 'N':
        if (words.lastCode === CLOSE) words.dropLast();
        return words.whole() >= 0;
      case 'O': {
        const offset = words.real(1);
        frame.timeMs = this.#header.startMs + offset;
        return offset >= 0;
      }
      case 'T':
        return this.#readType();
      case 'B':
        frame.bus = words.whole() - 1;
        return frame.bus >= 0;
      case 'I':
        return this.#readId();
      case 'd':
        return words.is('rx') || words.is('tx');
      case 'R':
        return true;
      case 'L':
        return this.#readLength(true);
      case 'l':
        return this.#readLength(false);
      case 'D':
        return this.#readData();
    }
  }

  #readType(): boolean {
    for (const [word, kind, isFd] of TYPES) {
      if (!this.#words.is(word)) continue;
      this.#kind = kind;
      this.#isFd = isFd;
      return true;
    }
    return false;
  }

  /** Reads an identifier: 4 digits for a standard one. Version 1.0 writes a warning as the identifier FFFFFFFF. */
  #readId(): boolean {
    const { frame } = this;
    frame.id = this.#words.hex();
    frame.extended = this.#words.length > STANDARD_DIGITS;
    if (frame.id === WARNING_ID) this.#kind = 'blank';
    else if (frame.hasLargeId) return false;
    return frame.id >= 0;
  }

  /**
   * Reads a length. @param isCode whether the column contains a length code for a CAN FD frame; the ReXgen exporter writes the
   * length there
   */
  #readLength(isCode: boolean): boolean {
    this.#written = this.#words.whole();
    const length = isCode && this.#isFd ? dataLengthOf(this.#written) : -1;
    this.frame.length = length === -1 ? this.#written : length;
    return this.frame.length >= 0 && this.frame.length <= (this.#isFd ? 64 : 8);
  }

  /**
   * Reads the data, starting at the first byte. Instead of data, versions 1.x write RTR for a remote frame and version 1.0 writes
   * ERROR.
   */
  #readData(): boolean {
    const { frame } = this;
    const words = this.#words;
    if (this.#kind === 'remote') return true;
    if (words.is('rtr') || words.is('error')) {
      this.#kind = words.is('rtr') ? 'remote' : 'error';
      return true;
    }
    for (let index = 0; index < frame.length; index++) {
      const isThere = index === 0 || words.next();
      if (!isThere && index === this.#written && this.#whole) {
        frame.length = index;
        return true;
      }
      const byte = isThere && words.length <= 2 ? words.hex() : -1;
      if (byte < 0) return false;
      frame.data[index] = byte;
    }
    // The last byte of a truncated line may have lost its second digit.
    return frame.length === 0 || this.#whole || !words.isAtEnd || words.length === 2;
  }
}
