import {
  CanFrame,
  type FrameLineParser,
  type LogLineKind,
  MAX_EXTENDED_ID,
  MAX_STANDARD_ID,
} from '#server/telemetry/decode/can-log/can-frame.ts';
import { dataLengthOf } from '#server/telemetry/decode/can-log/data-length.ts';
import { LineTokenizer } from '#server/telemetry/decode/can-log/line-tokenizer.ts';
import { HeaderTimeConverter } from '#server/telemetry/decode/can-log/wall-clock.ts';
import { decodeText } from '#server/telemetry/decode/file-text.ts';
import { readAscDate } from './asc-date.ts';

/** Pattern of header lines of Vector's programs that do not affect how frames are read. */
const PASSED = /^(?:internal|no\s+internal)\s+events\s+logged|^end\s+triggerblock|^version\b|^\/\//i;
const DATED = /^(?:date|begin\s+triggerblock)\b(.*)$/i;
const BASE = /^base\s+(hex|dec)(?:\s+timestamps\s+(absolute|relative))?/i;

/**
 * Reads the header lines of an ASC file: the base of its numbers, and the instant from which its times count. Times count from the
 * last date before them, in the header or in a trigger block. If the times of a later trigger block continue those before it, they
 * count from the earlier date.
 */
class AscHeader {
  isDecimal = false;
  #isRelative = false;
  readonly #clock: HeaderTimeConverter;
  #baseMs = 0;
  #elapsedMs = 0;
  #isFirst = true;
  #nextBaseMs: number | undefined;

  constructor(utcStartMs: number | undefined) {
    this.#clock = new HeaderTimeConverter(utcStartMs);
  }

  /** Reads a line that does not begin with a time; returns false when an ASC file cannot contain it. */
  read(line: Uint8Array): boolean {
    const text = decodeText(line).trim();
    const base = BASE.exec(text);
    if (base !== null) {
      this.isDecimal = base[1]?.toLowerCase() === 'dec';
      this.#isRelative = base[2]?.toLowerCase() === 'relative';
      return true;
    }
    const dated = DATED.exec(text);
    if (dated === null) return PASSED.test(text);
    const wallMs = readAscDate(dated[1] ?? '');
    if (wallMs !== undefined) this.#nextBaseMs = this.#clock.instant(wallMs);
    return wallMs !== undefined || !/^date/i.test(text);
  }

  /**
   * Returns the instant of a line in milliseconds since 1970. Call it for every line that has a time: relative times
   * add up.
   */
  instant(written: number): number {
    if (this.#nextBaseMs !== undefined) {
      if (this.#isFirst || this.#isRelative || written < this.#elapsedMs) {
        this.#baseMs = this.#nextBaseMs;
        this.#elapsedMs = 0;
      }
      this.#nextBaseMs = undefined;
    }
    this.#isFirst = false;
    this.#elapsedMs = this.#isRelative ? this.#elapsedMs + written : written;
    return this.#baseMs + this.#elapsedMs;
  }
}

const LETTER_X = 0x78;
const LOWER_CASE = 0x20;
const MAX_CLASSICAL_FRAME_BYTES = 8;
const MAX_DATA_LENGTH_CODE = 15;

/**
 * Reads the lines of an ASC file of Vector's programs: `2.501000 1  18FEF100x  Rx  d 8 A0 96 00 …`. Channel 1 is bus 0, as in
 * python-can and in the exporter of the ReXgen loggers. Skips other events, such as statistics, reassembled J1939 messages and
 * requests to send (TxRq). HeaderTimeConverter explains the dates.
 */
export class AscLine implements FrameLineParser {
  readonly frame = new CanFrame();
  readonly expected = 'asc';
  readonly #words = new LineTokenizer();
  readonly #header: AscHeader;
  #whole = true;

  /** Creates the reader. @param utcStartMs start of the log according to its file name */
  constructor(utcStartMs?: number) {
    this.#header = new AscHeader(utcStartMs);
  }

  read(text: Uint8Array, start: number, end: number, whole: boolean): LogLineKind {
    const words = this.#words;
    this.#whole = whole;
    words.begin(text, start, end);
    if (!words.next()) return 'blank';
    if (!words.startsWithDigit) return this.#header.read(text.subarray(start, end)) ? 'blank' : 'bad';
    const written = words.real(1000);
    if (written < 0) return 'bad';
    this.frame.timeMs = this.#header.instant(written);
    if (!words.next()) return 'bad';
    if (words.is('canfd')) return this.#readFd();
    return this.#readChannel() && words.next() ? this.#readClassical() : 'blank';
  }

  #readClassical(): LogLineKind {
    const words = this.#words;
    if (words.is('errorframe')) return 'error';
    const isFrame = this.#readId();
    if (!words.next() || !this.#isDirection() || !words.next() || isFrame === undefined) return 'blank';
    if (!isFrame) return 'bad';
    if (words.is('r')) return 'remote';
    if (!words.is('d')) return 'bad';
    const code = words.next() ? this.#number() : -1;
    if (code < 0 || code > MAX_DATA_LENGTH_CODE) return 'bad';
    return this.#readData(Math.min(code, MAX_CLASSICAL_FRAME_BYTES));
  }

  /** Reads the order of fields that Vector writes: `CANFD 2 Rx 300 [name] brs esi dlc length bytes …`. */
  #readFd(): LogLineKind {
    const words = this.#words;
    if (!words.next() || !this.#readChannel() || !words.next()) return 'blank';
    if (!this.#isDirection()) return this.#readExportedFd();
    if (!words.next()) return 'bad';
    if (words.is('errorframe')) return 'error';
    if (this.#readId() !== true || !words.next()) return 'bad';
    const hasName = !words.is('0') && !words.is('1');
    if (hasName && !(words.next() && (words.is('0') || words.is('1')))) return 'bad';
    const code = words.next() && words.next() ? this.#number() : -1;
    const length = words.next() ? words.whole() : -1;
    if (code < 0 || length < 0 || length > dataLengthOf(code)) return 'bad';
    return length === 0 && code > 0 ? 'remote' : this.#readData(length);
  }

  /** Reads the order of fields that the ReXgen exporter writes: `CANFD 1 00000201x Rx 1 0 d code length bytes …`. */
  #readExportedFd(): LogLineKind {
    const words = this.#words;
    const isFrame = this.#readId();
    if (isFrame === undefined || !words.next() || !this.#isDirection()) return 'blank';
    const isData = words.next() && words.next() && words.next() && words.is('d');
    const code = words.next() ? words.whole() : -1;
    const length = words.next() ? words.hex() : -1;
    const isGood = isFrame && isData && code >= 0 && length === dataLengthOf(code);
    return isGood ? this.#readData(length) : 'bad';
  }

  #readChannel(): boolean {
    this.frame.bus = this.#words.whole() - 1;
    return this.frame.bus >= 0;
  }

  /**
   * Reads `201`, or `18FEF100x` for 29 bits; returns false for an identifier with too many bits, undefined for any
   * other text.
   */
  #readId(): boolean | undefined {
    const { frame } = this;
    const words = this.#words;
    const isMarked = (words.lastCode | LOWER_CASE) === LETTER_X;
    if (isMarked) words.dropLast();
    frame.id = this.#number();
    // Some programs leave out the mark `x`, so a large identifier is extended too.
    frame.extended = isMarked || frame.id > MAX_STANDARD_ID;
    return frame.id < 0 ? undefined : frame.id <= MAX_EXTENDED_ID;
  }

  #readData(length: number): LogLineKind {
    const { frame } = this;
    const words = this.#words;
    frame.length = length;
    for (let index = 0; index < length; index++) {
      const byte = words.next() ? this.#number() : -1;
      if (byte < 0 || byte > 255) return 'bad';
      frame.data[index] = byte;
    }
    // The last byte of a line that was cut off may have lost its second digit.
    const mayBeCut = !this.#whole && words.isAtEnd && (this.#header.isDecimal || words.length === 1);
    return length > 0 && mayBeCut ? 'bad' : 'frame';
  }

  #isDirection(): boolean {
    return this.#words.is('rx') || this.#words.is('tx');
  }

  #number(): number {
    return this.#header.isDecimal ? this.#words.whole() : this.#words.hex();
  }
}
