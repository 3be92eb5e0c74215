import { LogError } from '#server/telemetry/decode/log-outcome.ts';
import { CanFrame, type FrameLineParser, type LogLineKind } from './can-frame.ts';
import { interfaceNameOf } from './candump.ts';
import { LineTokenizer } from './line-tokenizer.ts';
import { LocalTimeConverter } from './wall-clock.ts';

const OPEN = 40;
const CLOSE = 41;

/**
 * Reads the time with which candump starts a line on a terminal: seconds since 1970 (`-t a`), since the first line (`-t z`) or
 * since the previous line (`-t d`), or a date and time (`-t A`). The date is local time of the recording computer (candump.c calls
 * `localtime`) without a zone; it is read as Europe/Amsterdam.
 */
class CandumpTime {
  readonly #words: LineTokenizer;
  readonly #clock = new LocalTimeConverter();
  /** The most recently read time, in milliseconds. */
  timeMs = 0;

  constructor(words: LineTokenizer) {
    this.#words = words;
  }

  /** Reads the time at the beginning of the line and moves to the word after it. */
  read(): 'time' | 'none' | 'bad' {
    const words = this.#words;
    if (words.firstCode !== OPEN) return 'none';
    words.dropFirst();
    return words.lastCode === CLOSE ? this.#readSeconds() : this.#readDate();
  }

  #readSeconds(): 'time' | 'bad' {
    const words = this.#words;
    words.dropLast();
    const digits = words.leadingDigits;
    this.timeMs = words.real(1000);
    if (this.timeMs < 0 || digits === words.length || !words.next()) return 'bad';
    return 'time';
  }

  /** Reads `2026-11-27 08:00:00.123456)`. */
  #readDate(): 'time' | 'bad' {
    const words = this.#words;
    const year = words.digits(0, 4);
    const month = words.digits(5, 2);
    const day = words.digits(8, 2);
    if (words.length !== 10 || year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return 'bad';
    if (!words.next() || words.lastCode !== CLOSE) return 'bad';
    words.dropLast();
    const hour = words.digits(0, 2);
    const minute = words.digits(3, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return 'bad';
    words.from += 6;
    const secondsMs = words.real(1000);
    if (secondsMs < 0 || secondsMs >= 61_000 || !words.next()) return 'bad';
    const minuteMs = this.#clock.instant(Date.UTC(year, month - 1, day, hour, minute));
    this.timeMs = minuteMs + secondsMs;
    return 'time';
  }
}

const ERROR_FLAG = 0x2000_0000; // CAN_ERR_FLAG, linux/can.h
const TAB = 9;
const ESCAPE = 27;
const QUOTE = 39;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
/** Size of the buffer for a line: larger than any line that `TextLines` passes on. */
const LINE_BYTES = 1100;

/**
 * Reads lines as candump of can-utils shows them on a terminal: ` (1436509052.249713)  can0  201   [8]  A0 96 00`.
 * Accepts colors (`-c`), the letters of the bytes (`-a`) and `-x`. Binary (`-i`) and swapped (`-S`) bytes and CAN XL
 * are bad lines.
 */
export class CandumpTerminalLine implements FrameLineParser {
  readonly frame = new CanFrame();
  readonly expected = 'candump-terminal';
  readonly #busOf: (name: string) => number;
  readonly #words = new LineTokenizer();
  readonly #time = new CandumpTime(this.#words);
  readonly #plain = new Uint8Array(LINE_BYTES);
  /** The interface in the most recent line: `nameFrom` up to `nameTo` in the line without colors. */
  nameFrom = 0;
  nameTo = 0;

  /** Creates the reader. @param busOf returns the bus of an interface whose name does not end with a number; -1 makes its lines bad */
  constructor(busOf: (name: string) => number = () => -1) {
    this.#busOf = busOf;
  }

  /** Returns the interface in the most recent line. */
  nameIn(): string {
    return interfaceNameOf(this.#plain, this.nameFrom, this.nameTo);
  }

  /** Reads a line. @throws LogError 'no times' for a frame without a time */
  read(text: Uint8Array, start: number, end: number): LogLineKind {
    const words = this.#words;
    words.begin(this.#plain, 0, this.#withoutColors(text, start, end));
    // The details of an error frame (-e) are on a separate line after it.
    if (!words.next() || this.#plain[0] === TAB) return 'blank';
    const time = this.#time.read();
    if (time === 'bad') return 'bad';
    this.frame.timeMs = this.#time.timeMs;
    this.frame.bus = words.trailingNumber();
    this.nameFrom = words.from;
    this.nameTo = words.to;
    if (this.frame.bus < 0) this.frame.bus = this.#busOf(interfaceNameOf(this.#plain, words.from, words.to));
    if (this.frame.bus < 0 || !words.next()) return 'bad';
    if (words.is('rx') || words.is('tx'))
      while (words.next() && (words.is('-') || words.is('b') || words.is('e')));
    const kind = this.#readFrame();
    if (kind !== 'bad' && time === 'none') throw new LogError('no times', { kind: 'candump-without-times' });
    return kind;
  }

  /** Copies a line without its color sequences; returns the length of the copy. */
  #withoutColors(text: Uint8Array, start: number, end: number): number {
    const plain = this.#plain;
    let length = 0;
    for (let at = start; at < end && length < LINE_BYTES; at++) {
      const code = text[at] as number;
      if (code === ESCAPE) {
        while (at < end && !isLetter(text[at] as number)) at += 1;
        continue;
      }
      plain[length] = code;
      length += 1;
    }
    return length;
  }

  #readFrame(): LogLineKind {
    const { frame } = this;
    const words = this.#words;
    frame.id = words.hex();
    frame.extended = words.length === 8;
    if (frame.id < 0 || (words.length !== 3 && !frame.extended) || !words.next()) return 'bad';
    frame.length = this.#readLength();
    if (frame.length < 0) return 'bad';
    if (frame.extended && frame.id >= ERROR_FLAG && frame.id < 2 * ERROR_FLAG) return 'error';
    if (frame.hasLargeId) return 'bad';
    for (let index = 0; index < frame.length; index++) {
      if (!words.next()) return 'bad';
      if (index === 0 && words.is('remote')) return 'remote';
      const byte = words.length === 2 ? words.hex() : -1;
      if (byte < 0) return 'bad';
      frame.data[index] = byte;
    }
    if (!words.next() || words.firstCode === QUOTE) return 'frame';
    return frame.length === 0 && words.is('remote') ? 'remote' : 'bad';
  }

  /**
   * Reads `[8]`, `{C}` for the raw length code of a classical frame, or `[12]` for CAN FD; returns -1 for any other
   * text.
   */
  #readLength(): number {
    const words = this.#words;
    const isRaw = words.firstCode === OPEN_BRACE && words.lastCode === CLOSE_BRACE;
    if (!isRaw && !(words.firstCode === OPEN_BRACKET && words.lastCode === CLOSE_BRACKET)) return -1;
    words.dropFirst();
    words.dropLast();
    if (isRaw) return words.length === 1 ? Math.min(words.hex(), 8) : -1;
    const length = words.whole();
    return words.length <= 2 && length <= (words.length === 1 ? 8 : 64) ? length : -1;
  }
}

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
