import { CanFrame, HEX_DIGIT_VALUES, isBlank, type LogLineKind } from './can-frame.ts';

const ERROR_FLAG = 0x2000_0000; // CAN_ERR_FLAG, linux/can.h
const SPACE = 32;
const HASH = 35;
const OPEN = 40;
const CLOSE = 41;
const POINT = 46;
const LETTER_R = 82;
const LETTER_T = 84;
const UNDERSCORE = 95;

/**
 * Reads lines as `candump -L` of can-utils writes them: `(1436509052.249713) can0 123#DEADBEEF`, with 3 digits for a
 * standard identifier and 8 for an extended one, `#R` for a remote frame, `##<flags><data>` for CAN FD, and possibly `
 * R` or ` T` (received, sent) at the end. Never throws.
 */
export class CandumpLine {
  readonly frame = new CanFrame();
  readonly expected = 'candump';
  readonly #busOf: (name: string) => number;
  /** The interface in the most recent line: `nameFrom` up to `nameTo`. */
  nameFrom = 0;
  nameTo = 0;
  #text: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;

  /** Creates the reader. @param busOf returns the bus of an interface whose name does not end with a number; -1 makes its lines bad */
  constructor(busOf: (name: string) => number = () => -1) {
    this.#busOf = busOf;
  }

  /** Returns the interface in the most recent line. @param text the text that was passed to `read` */
  nameIn(text: Uint8Array): string {
    return interfaceNameOf(text, this.nameFrom, this.nameTo);
  }

  /** Reads the line from `start` to `end` of the text, without its line end. */
  read(text: Uint8Array, start: number, end: number): LogLineKind {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    while (this.#end > start && isBlank(text[this.#end - 1])) this.#end -= 1;
    this.#skipSpaces();
    if (this.#at === this.#end) return 'blank';
    if (!this.#readTime() || !this.#readBus()) return 'bad';
    const isError = this.#readId();
    if (isError === undefined) return 'bad';
    if (isError) return 'error';
    if (this.#take(HASH))
      return this.#peekHex() < 16 && this.#advance() && this.#readData(64) ? 'frame' : 'bad';
    if (this.#take(LETTER_R)) return 'remote';
    return this.#readData(8) ? 'frame' : 'bad';
  }

  /** Reads `(1436509052.249713) `. */
  #readTime(): boolean {
    if (!this.#take(OPEN)) return false;
    const start = this.#at;
    const seconds = this.#readDecimal();
    if (this.#at === start || !this.#take(POINT)) return false;
    const fractionStart = this.#at;
    const fraction = this.#readDecimal();
    const digits = this.#at - fractionStart;
    if (digits === 0 || !this.#take(CLOSE)) return false;
    this.frame.timeMs = seconds * 1000 + fraction / 10 ** (digits - 3);
    return this.#skipSpaces();
  }

  /** Reads `can0 `. The bus is the number at the end of the interface's name, otherwise the result of `busOf` for the name. */
  #readBus(): boolean {
    let bus = -1;
    const start = this.#at;
    while (this.#at < this.#end && this.#code() > SPACE) {
      const digit = this.#code() - 48;
      if (digit >= 0 && digit <= 9) bus = Math.max(bus, 0) * 10 + digit;
      else bus = -1;
      this.#at += 1;
    }
    if (bus < 0 && this.#at > start) bus = this.#busOf(interfaceNameOf(this.#text, start, this.#at));
    this.frame.bus = bus;
    this.nameFrom = start;
    this.nameTo = this.#at;
    return bus >= 0 && this.#skipSpaces();
  }

  /** Reads `123#`; returns whether the line is an error report, or undefined when there is no identifier. */
  #readId(): boolean | undefined {
    let id = 0;
    const start = this.#at;
    for (let digit = this.#peekHex(); digit < 16; digit = this.#peekHex()) {
      id = id * 16 + digit;
      this.#at += 1;
    }
    const digits = this.#at - start;
    if ((digits !== 3 && digits !== 8) || !this.#take(HASH)) return undefined;
    if (digits === 8 && id >= ERROR_FLAG && id < 2 * ERROR_FLAG) return true;
    this.frame.id = id;
    this.frame.extended = digits === 8;
    return this.frame.hasLargeId ? undefined : false;
  }

  /** Reads pairs of hexadecimal digits up to the end of the line, or up to `_9` (the raw length code), ` R` or ` T`. */
  #readData(longest: number): boolean {
    const { data } = this.frame;
    const text = this.#text;
    let length = 0;
    while (length < longest && this.#at + 1 < this.#end) {
      const high = HEX_DIGIT_VALUES[text[this.#at] as number] as number;
      const low = HEX_DIGIT_VALUES[text[this.#at + 1] as number] as number;
      if (high > 15 || low > 15) break;
      data[length] = high * 16 + low;
      length += 1;
      this.#at += 2;
    }
    this.frame.length = length;
    if (this.#take(UNDERSCORE)) this.#at += 1;
    if (this.#at < this.#end && this.#skipSpaces() && !this.#take(LETTER_R)) this.#take(LETTER_T);
    return this.#at === this.#end;
  }

  #readDecimal(): number {
    let value = 0;
    for (; this.#at < this.#end; this.#at++) {
      const digit = this.#code() - 48;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    return value;
  }

  #code(): number {
    return this.#text[this.#at] as number;
  }

  #peekHex(): number {
    return this.#at < this.#end ? (HEX_DIGIT_VALUES[this.#code()] as number) : 255;
  }

  #advance(): boolean {
    this.#at += 1;
    return true;
  }

  #take(code: number): boolean {
    if (this.#at >= this.#end || this.#code() !== code) return false;
    this.#at += 1;
    return true;
  }

  #skipSpaces(): boolean {
    const start = this.#at;
    while (this.#at < this.#end && isBlank(this.#code())) this.#at += 1;
    return this.#at > start;
  }
}

/** Maximum length of an interface's name in Linux, in characters. */
const MAX_NAME_CHARACTERS = 15;

/** Returns the name of an interface; an empty text when it is too long. */
export const interfaceNameOf = (text: Uint8Array, start: number, end: number): string =>
  end - start > MAX_NAME_CHARACTERS ? '' : new TextDecoder().decode(text.subarray(start, end));
