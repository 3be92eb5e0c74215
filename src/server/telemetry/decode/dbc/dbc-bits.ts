/** Position of a signal's bits, in DBC numbering (`DbcSignal.startBit`). */
export type BitLayout = { readonly startBit: number; readonly bitCount: number; readonly bigEndian: boolean };

/** Returns the index of the last byte of a frame that a signal needs. */
export function lastByteOf({ startBit, bitCount, bigEndian }: BitLayout): number {
  return (bigEndian ? bigEndianBitOrder(startBit) + bitCount - 1 : startBit + bitCount - 1) >> 3;
}

/**
 * Returns the position of a bit in the order in which a big endian signal uses bits: from its most significant bit down through the
 * byte, and then from the top of the next byte (`b = (b & 7) === 0 ? b + 15 : b - 1`). In this order the bits of the signal are
 * consecutive. The conversion is its own inverse.
 */
export const bigEndianBitOrder = (bit: number): number => (bit & ~7) + (7 - (bit & 7));

/** Maximum number of bits of a whole number that a double holds exactly. */
export const MAX_EXACT_INTEGER_BITS = 53;

/** Reads up to 53 bits of a frame as an exact unsigned number. The frame must be long enough (`lastByteOf`). */
export class BitField {
  readonly #bigEndian: boolean;
  readonly #first: number;
  readonly #last: number;
  /** Number of bits below the field in the byte with its lowest bit: the first byte if little endian, the last byte if big endian. */
  readonly #drop: number;
  readonly #firstMask: number;
  readonly #lastMask: number;
  /** Little endian: weight of the second byte. Big endian: weight of the last byte but one. */
  readonly #weight: number;

  constructor(layout: BitLayout) {
    const { startBit, bitCount, bigEndian } = layout;
    this.#bigEndian = bigEndian;
    this.#first = startBit >> 3;
    this.#last = lastByteOf(layout);
    const single = this.#first === this.#last;
    if (bigEndian) {
      this.#drop = 7 - ((bigEndianBitOrder(startBit) + bitCount - 1) & 7);
      this.#firstMask = (2 << (startBit & 7)) - 1;
      this.#lastMask = 0xff;
      this.#weight = 2 ** (8 - this.#drop);
    } else {
      this.#drop = startBit & 7;
      this.#firstMask = single ? 2 ** bitCount - 1 : 0xff;
      this.#lastMask = (2 << ((startBit + bitCount - 1) & 7)) - 1;
      this.#weight = 2 ** (8 - this.#drop);
    }
  }

  read(data: Uint8Array): number {
    return this.#bigEndian ? this.#readBigEndian(data) : this.#readLittleEndian(data);
  }

  #readBigEndian(data: Uint8Array): number {
    const last = this.#last;
    let value = (data[this.#first] as number) & this.#firstMask;
    if (this.#first === last) return value >>> this.#drop;
    for (let index = this.#first + 1; index < last; index++) value = value * 256 + (data[index] as number);
    return value * this.#weight + ((data[last] as number) >>> this.#drop);
  }

  #readLittleEndian(data: Uint8Array): number {
    const last = this.#last;
    let value = ((data[this.#first] as number) >>> this.#drop) & this.#firstMask;
    if (this.#first === last) return value;
    let weight = this.#weight;
    for (let index = this.#first + 1; index < last; index++) {
      value += (data[index] as number) * weight;
      weight *= 256;
    }
    return value + ((data[last] as number) & this.#lastMask) * weight;
  }
}
