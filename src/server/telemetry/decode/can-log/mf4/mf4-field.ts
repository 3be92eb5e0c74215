import { readUint32, readUint64 } from '#server/telemetry/decode/can-log/little-endian.ts';
import type { Mf4Block } from './mf4-block.ts';
import { type Conversion, IDENTITY_CONVERSION } from './mf4-conversion.ts';

/** Values of the type of a channel (cn_type) and of the type of its data (cn_data_type). */
const VIRTUAL = [3, 6];
const BIG_ENDIAN = [1, 3, 5];
const FLOAT = [4, 5];
const LAST_NUMBER = 5;

const float = new DataView(new ArrayBuffer(8));

/** Reads the numeric value of one channel from a record. */
export class Mf4Field {
  readonly byte: number;
  readonly bits: number;
  readonly #bit: number;
  readonly #bytes: number;
  readonly #conversion: Conversion;
  /** 'index': the channel has no bytes in the record; its value is the number of the record. */
  readonly #kind: 'index' | 'small' | 'large' | 'float';
  readonly #isBigEndian: boolean;
  readonly #mask: number;
  /** Whether the field is a little-endian number of 8 whole bytes, such as a time or an offset: the most common kind of field. */
  readonly #isWhole: boolean;
  /** `#unit` is 2^(first bit), `#end` is 2^(number of bits): the divisor and the modulus that cut the field out of its bytes. */
  readonly #unit: number;
  readonly #end: number;

  /** Returns the field of a channel of variable length: a record holds an offset there, whatever data type the channel states. */
  static ofOffset(channel: Mf4Block): Mf4Field {
    return new Mf4Field(channel, IDENTITY_CONVERSION, 0);
  }

  /** Creates the field. @param channel a CN block */
  constructor(
    channel: Mf4Block,
    conversion: Conversion = IDENTITY_CONVERSION,
    dataType = channel.data[2] ?? 0,
  ) {
    const { data } = channel;
    const [type = 0, , , bit = 0] = data;
    this.byte = readUint32(data, 4);
    this.bits = readUint32(data, 8);
    this.#bit = bit;
    this.#bytes = Math.ceil((bit + this.bits) / 8);
    this.#conversion = conversion;
    this.#isBigEndian = BIG_ENDIAN.includes(dataType) && this.#bytes > 1;
    this.#mask = this.bits >= 32 ? 0xffff_ffff : 2 ** this.bits - 1;
    this.#isWhole = !this.#isBigEndian && bit === 0 && this.bits === 64;
    this.#unit = 2 ** bit;
    this.#end = 2 ** this.bits;
    if (VIRTUAL.includes(type)) this.#kind = 'index';
    else if (FLOAT.includes(dataType)) this.#kind = 'float';
    else this.#kind = this.#bytes <= 4 && !this.#isBigEndian ? 'small' : 'large';
    this.isNumber = this.#kind === 'index' || (dataType <= LAST_NUMBER && this.#isReadable);
  }

  /** Whether the channel is a number that can be read; false for texts, byte arrays and numbers of an impossible size. */
  readonly isNumber: boolean;

  get #isReadable(): boolean {
    if (this.#kind === 'float') return this.bits === 32 || this.bits === 64;
    return this.bits > 0 && this.#bytes <= 8 && this.#bit < 8;
  }

  /** Returns whether the channel's bytes lie within a record of this size. */
  fits(recordBytes: number): boolean {
    return this.#kind === 'index' || this.byte + this.#bytes <= recordBytes;
  }

  /** Returns the value of the channel in a record. @param index number of the record in its group */
  read(bytes: Uint8Array, record: number, index: number): number {
    const at = record + this.byte;
    if (this.#kind === 'small')
      return this.#conversion.of(((readUint32(bytes, at) >>> this.#bit) & this.#mask) >>> 0);
    if (this.#kind === 'index') return this.#conversion.of(index);
    return this.#conversion.of(this.#kind === 'float' ? this.#float(bytes, at) : this.#large(bytes, at));
  }

  #float(bytes: Uint8Array, at: number): number {
    const count = this.#bytes;
    for (let index = 0; index < count; index++) float.setUint8(index, bytes[at + index] as number);
    return count === 8 ? float.getFloat64(0, !this.#isBigEndian) : float.getFloat32(0, !this.#isBigEndian);
  }

  #large(bytes: Uint8Array, at: number): number {
    if (this.#isWhole) return readUint64(bytes, at);
    const count = this.#bytes;
    let value = 0;
    for (let index = 0; index < count; index++)
      value = value * 256 + (bytes[this.#isBigEndian ? at + index : at + count - 1 - index] as number);
    return Math.floor(value / this.#unit) % this.#end;
  }
}
