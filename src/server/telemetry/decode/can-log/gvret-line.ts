import {
  CanFrame,
  type FrameLineParser,
  isBlank,
  type LogLineKind,
  MAX_EXTENDED_ID,
  MAX_STANDARD_ID,
  parseHex,
} from './can-frame.ts';
import { dataLengthOf } from './data-length.ts';
import type { GvretHeader, GvretRole } from './gvret-header.ts';

const QUOTE = 34;
const MINUS = 45;
const DIGIT_0 = 48;
/**
 * Maximum number of digits of a time in microseconds. A time since 1970 has 16 digits until the year 2286, and a double holds every time of
 * this century exactly.
 */
const MAX_DIGITS = 16;
const MAX_CAN_FRAME_BYTES = 64;
/** The highest length code. A larger number in a column DLC is a length in bytes. */
const MAX_LENGTH_CODE = 15;

/**
 * Reads the rows of a GVRET CSV: `39747828,000005EB,false,Rx,0,8,E8,45,85,4B,4A,28,36,69,`. The time is in microseconds, identifier
 * and data are hexadecimal. Cells may be quoted and have spaces around them; after LEN bytes there may be zeros, empty cells or
 * nothing. A row with too little data is bad, except for a CAN FD frame: SavvyCAN writes only its first 8 bytes, and these are
 * used.
 */
export class GvretLine implements FrameLineParser {
  readonly frame = new CanFrame();
  readonly expected = 'gvret';
  readonly #header: GvretHeader;
  #text: Uint8Array = new Uint8Array();
  /** Number in the column LEN; `frame.length` counts the bytes read so far. */
  #length = 0;
  #dataEnded = false;
  #lastCellDigits = 0;

  constructor(header: GvretHeader) {
    this.#header = header;
  }

  read(text: Uint8Array, start: number, end: number, whole: boolean): LogLineKind {
    const { roles, separator, dataColumns } = this.#header;
    this.#text = text;
    this.#dataEnded = false;
    this.frame.length = 0;
    let column = 0;
    for (let at = start; at <= end; column++) {
      let cellEnd = at;
      while (cellEnd < end && text[cellEnd] !== separator) cellEnd += 1;
      if (column === 0 && cellEnd === end && this.#isEmpty(at, end)) return 'blank';
      if (!this.#readCell(roles[column], at, cellEnd)) return 'bad';
      at = cellEnd + 1;
    }
    if (column < roles.length || this.frame.length < Math.min(this.#length, dataColumns)) return 'bad';
    // The last byte of a truncated line may have lost its second digit.
    return !whole && this.frame.length > 0 && this.#lastCellDigits === 1 ? 'bad' : 'frame';
  }

  /** Reads a cell. @param role undefined for a byte of data */
  #readCell(role: GvretRole | undefined, start: number, end: number): boolean {
    const text = this.#text;
    let from = start;
    let to = end;
    while (from < to && isBlank(text[from])) from += 1;
    while (to > from && isBlank(text[to - 1])) to -= 1;
    if (to - from >= 2 && text[from] === QUOTE && text[to - 1] === QUOTE) {
      from += 1;
      to -= 1;
      while (from < to && isBlank(text[from])) from += 1;
      while (to > from && isBlank(text[to - 1])) to -= 1;
    }
    if (role === undefined) return this.#readByte(from, to);
    const { frame } = this;
    switch (role) {
      case 'time': {
        // SavvyCAN counts from a moment that the user sets; times before it are negative.
        const isNegative = text[from] === MINUS;
        const microseconds = this.#readDecimal(isNegative ? from + 1 : from, to);
        frame.timeMs = (isNegative ? -microseconds : microseconds) / 1000;
        return microseconds >= 0;
      }
      case 'id':
        return this.#readId(from, to);
      case 'extended':
        return this.#readExtended(from, to);
      case 'bus':
        frame.bus = this.#readDecimal(from, to);
        return frame.bus >= 0;
      case 'length':
        this.#length = this.#readDecimal(from, to);
        if (this.#header.hasLengthCode && this.#length <= MAX_LENGTH_CODE)
          this.#length = dataLengthOf(this.#length);
        return this.#length >= 0 && this.#length <= MAX_CAN_FRAME_BYTES;
      case 'other':
        return true;
    }
  }

  /** Reads a byte of data; ignores cells after LEN bytes. After an empty cell, accepts only empty cells. */
  #readByte(from: number, to: number): boolean {
    const { frame } = this;
    if (frame.length === this.#length) return true;
    if (from === to) this.#dataEnded = true;
    if (this.#dataEnded) return from === to;
    const value = to - from > 2 ? -1 : parseHex(this.#text, from, to);
    if (value < 0) return false;
    this.#lastCellDigits = to - from;
    frame.data[frame.length] = value;
    frame.length += 1;
    return true;
  }

  #readId(from: number, to: number): boolean {
    this.frame.id = to - from > 8 ? -1 : parseHex(this.#text, from, to);
    return this.frame.id >= 0 && this.frame.id <= MAX_EXTENDED_ID;
  }

  /** Reads the cell Extended. Some files do not set it, so an identifier of more than 11 bits is always extended. */
  #readExtended(from: number, to: number): boolean {
    const length = to - from;
    const letter = (this.#text[from] ?? 0) | 0x20; // lower case; '0' and '1' do not change
    const yes = (length === 4 && letter === 116) || (length === 1 && letter === DIGIT_0 + 1);
    const no = (length === 5 && letter === 102) || (length === 1 && letter === DIGIT_0);
    this.frame.extended = yes || this.frame.id > MAX_STANDARD_ID;
    return yes || no;
  }

  /** Returns the decimal number between two offsets; -1 when the text is not a number. */
  #readDecimal(from: number, to: number): number {
    if (from === to || to - from > MAX_DIGITS) return -1;
    let value = 0;
    for (let at = from; at < to; at++) {
      const digit = (this.#text[at] as number) - DIGIT_0;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
    }
    return value;
  }

  #isEmpty(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (!isBlank(this.#text[at])) return false;
    return true;
  }
}
