import { isBlank, parseHex } from './can-frame.ts';

const DIGIT_0 = 48;
const POINT = 46;
const LOWER_CASE = 0x20;
/** A double holds every number of at most 15 digits exactly. */
const MAX_DIGITS = 15;
const MAX_HEX_DIGITS = 8;

/** Splits a line into words at its blanks and parses numbers, without creating strings. */
export class LineTokenizer {
  #text: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;
  /** The current word extends from `from` up to `to`. */
  from = 0;
  to = 0;

  begin(text: Uint8Array, start: number, end: number): void {
    this.#text = text;
    this.#at = start;
    this.#end = end;
    this.from = start;
    this.to = start;
  }

  /** Moves to the next word; returns false at the end of the line. */
  next(): boolean {
    const text = this.#text;
    const end = this.#end;
    let at = this.#at;
    while (at < end && isBlank(text[at])) at += 1;
    this.from = at;
    while (at < end && !isBlank(text[at])) at += 1;
    this.to = at;
    this.#at = at;
    return at > this.from;
  }

  get length(): number {
    return this.to - this.from;
  }

  /** Whether the current word is the last one of the line. In a truncated line the end of that word may be missing. */
  get isAtEnd(): boolean {
    return this.to === this.#end;
  }

  get firstCode(): number {
    return this.from < this.to ? (this.#text[this.from] as number) : 0;
  }

  get lastCode(): number {
    return this.from < this.to ? (this.#text[this.to - 1] as number) : 0;
  }

  get startsWithDigit(): boolean {
    return isDigit(this.firstCode);
  }

  /** Returns whether the current word equals this one. @param word in lower case */
  is(word: string): boolean {
    if (this.length !== word.length) return false;
    for (let index = 0; index < word.length; index++) {
      const code = this.#text[this.from + index] as number;
      const lower = code >= 65 && code <= 90 ? code | LOWER_CASE : code;
      if (lower !== word.charCodeAt(index)) return false;
    }
    return true;
  }

  dropFirst(): void {
    if (this.to > this.from) this.from += 1;
  }

  dropLast(): void {
    if (this.to > this.from) this.to -= 1;
  }

  /** Number of digits at the beginning of the word. */
  get leadingDigits(): number {
    return this.#digitsFrom(this.from) - this.from;
  }

  /** Returns the number formed by `count` digits from `index` of the word; -1 when one of these characters is no digit. */
  digits(index: number, count: number): number {
    const from = this.from + index;
    return from + count <= this.to && this.#digitsFrom(from) >= from + count
      ? this.#value(from, from + count)
      : -1;
  }

  /** Returns the word as a hexadecimal number; -1 for any other word. */
  hex(): number {
    return this.length > MAX_HEX_DIGITS ? -1 : parseHex(this.#text, this.from, this.to);
  }

  /** Returns the word as a whole decimal number; -1 for any other word. */
  whole(): number {
    const end = this.#digitsFrom(this.from);
    return end === this.to ? this.#value(this.from, end) : -1;
  }

  /** Returns the number at the end of the word; -1 when the word does not end with a digit. */
  trailingNumber(): number {
    let from = this.to;
    while (from > this.from && isDigit(this.#text[from - 1] as number)) from -= 1;
    return this.#value(from, this.to);
  }

  /** Returns the word as a decimal number, with or without a fraction, times `scale`; -1 for any other word. */
  real(scale: number): number {
    const point = this.#digitsFrom(this.from);
    const whole = this.#value(this.from, point);
    if (point === this.to || whole === -1) return whole === -1 ? -1 : whole * scale;
    if (this.#text[point] !== POINT || this.#digitsFrom(point + 1) !== this.to) return -1;
    const end = Math.min(this.to, point + 1 + MAX_DIGITS - 3);
    const fraction = this.#value(point + 1, end);
    return fraction === -1 ? -1 : whole * scale + (fraction * scale) / 10 ** (end - point - 1);
  }

  /** Returns the offset after the digits that begin at offset `from`; `from` itself if there is no digit. */
  #digitsFrom(from: number): number {
    let at = from;
    while (at < this.to && isDigit(this.#text[at] as number)) at += 1;
    return at;
  }

  #value(from: number, to: number): number {
    if (from === to || to - from > MAX_DIGITS) return -1;
    let value = 0;
    for (let at = from; at < to; at++) value = value * 10 + (this.#text[at] as number) - DIGIT_0;
    return value;
  }
}

const isDigit = (code: number): boolean => code >= DIGIT_0 && code <= DIGIT_0 + 9;
