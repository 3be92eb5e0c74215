const ZERO = '0'.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const POINT = '.'.charCodeAt(0);
/** A number below this value with at most seven decimals is written digit by digit; String() formats other numbers. */
const MAX_SIMPLE = 1e8;
const MAX_DECIMALS = 7;
const SCALE = 10 ** MAX_DECIMALS;
/** Smaller numbers have an exponent in JavaScript's notation. */
const MIN_WITHOUT_EXPONENT = 1e-6;
/** Maximum length of a number in JavaScript's notation: '-0.0000012345678901234567'. */
const MAX_NUMBER_LENGTH = 25;

/**
 * ASCII text that is collected as bytes. Texts that consist mostly of numbers are made several times faster than by joining strings,
 * because numbers are not converted to strings first.
 */
export class AsciiText {
  #bytes: Buffer;
  #length = 0;

  /** @param capacity expected length; the text may be longer */
  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(capacity, MAX_NUMBER_LENGTH));
  }

  get length(): number {
    return this.#length;
  }

  /** Appends ASCII characters. */
  add(text: string): this {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let n = 0; n < text.length; n += 1) bytes[at++] = text.charCodeAt(n);
    this.#length = at;
    return this;
  }

  /** Appends a finite number in JavaScript's notation. @param point character code of the decimal point */
  addNumber(value: number, point = POINT): this {
    const size = Math.abs(value);
    const scaled = Math.round(size * SCALE);
    if (!(scaled / SCALE === size && size < MAX_SIMPLE && (size === 0 || size >= MIN_WITHOUT_EXPONENT)))
      return this.add(String(value).replace('.', String.fromCharCode(point)));
    this.#reserve(MAX_NUMBER_LENGTH);
    if (value < 0) this.#bytes[this.#length++] = MINUS;
    const whole = Math.floor(scaled / SCALE);
    let decimals = scaled - whole * SCALE;
    this.#addWhole(whole);
    if (decimals === 0) return this;
    let count = MAX_DECIMALS;
    for (; decimals % 10 === 0; count -= 1) decimals /= 10;
    this.#bytes[this.#length++] = point;
    return this.addDigits(decimals, count);
  }

  /** Appends the last `count` digits of a whole number below 2^31, with zeros in front. */
  addDigits(value: number, count: number): this {
    this.#reserve(count);
    const bytes = this.#bytes;
    let rest = value | 0;
    for (let at = this.#length + count - 1; at >= this.#length; at -= 1) {
      const tenth = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tenth * 10;
      rest = tenth;
    }
    this.#length += count;
    return this;
  }

  /** Returns the bytes; the text must not be used afterwards. */
  toBytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #addWhole(value: number): void {
    let count = 1;
    for (let limit = 10; value >= limit; limit *= 10) count += 1;
    this.addDigits(value, count);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(longer, 0, 0, this.#length);
    this.#bytes = longer;
  }
}
