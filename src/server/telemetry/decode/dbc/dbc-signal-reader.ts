import type { AbsentRawValues } from '#server/telemetry/decode/j1939/absent-raw-values.ts';
import type { DbcSignal } from './dbc.ts';
import {
  BitField,
  type BitLayout,
  bigEndianBitOrder,
  lastByteOf,
  MAX_EXACT_INTEGER_BITS,
} from './dbc-bits.ts';

/** Special values: the sender has no value, or marks the value as an error. A measurement is never infinite. */
export const NOT_AVAILABLE = Number.POSITIVE_INFINITY;
export const ERROR_VALUE = Number.NEGATIVE_INFINITY;

const LOW_BITS = 32;
const floats = new DataView(new ArrayBuffer(8));

/** Reads one signal of a message. Wide signals (over 53 bits, float64) are read in two parts. */
export class SignalReader {
  /** Index of the value in the output; -1 when the signal is read only because it is a switch. */
  readonly #place: number;
  /**
   * Whether this is the first of the signals that write to `#place`. Only the first one writes NaN if the frame does not contain it,
   * so that the signals of the same name in other branches of the multiplexer do not overwrite its value.
   */
  readonly #isFirst: boolean;
  /** Index of the signal's raw value among the switch values if the signal is a switch, otherwise -1. */
  readonly #ownSwitch: number;
  /** Index of the switch that the signal depends on, or -1; and the values of that switch: from, to, from, to, … */
  readonly #switch: number;
  readonly #ranges: readonly number[];
  readonly #lastByte: number;
  /** The whole signal, or its lowest 32 bits. */
  readonly #low: BitField;
  readonly #high: BitField | undefined;
  readonly #float: 0 | 32 | 64;
  /** Raw values from this value on are negative: 2^(bits - 1) of the part with the sign, or Infinity. */
  readonly #negativeFrom: number;
  readonly #signedSpan: number;
  readonly #noneFrom: number;
  readonly #errorFrom: number;
  readonly #errorTo: number;
  readonly #multiply: number;
  readonly #add: number;
  readonly #divide: number;

  /**
   * Creates the reader.
   * @param none raw values that are no measurement; undefined when every raw value is a measurement
   * @param isFirst whether this is the first signal that writes to its place
   */
  constructor(
    signal: DbcSignal,
    place: number | undefined,
    switches: ReadonlyMap<string, number>,
    none: AbsentRawValues | undefined,
    isFirst: boolean,
  ) {
    this.#isFirst = isFirst;
    const { activeWhen, bitCount, float, signed } = signal;
    this.#place = place ?? -1;
    this.#ownSwitch = switches.get(signal.name) ?? -1;
    this.#switch = activeWhen === undefined ? -1 : (switches.get(activeWhen.switch) ?? -1);
    this.#ranges = activeWhen?.ranges.flat() ?? [];
    this.#lastByte = lastByteOf(signal);
    const wide = bitCount > MAX_EXACT_INTEGER_BITS;
    this.#low = new BitField(wide ? lowPart(signal) : signal);
    this.#high = wide ? new BitField(highPart(signal)) : undefined;
    const bitsWithSign = wide ? bitCount - LOW_BITS : bitCount;
    this.#float = float;
    this.#noneFrom = none?.first ?? Number.POSITIVE_INFINITY;
    this.#errorFrom = none?.firstError ?? Number.POSITIVE_INFINITY;
    this.#errorTo = none?.afterErrors ?? Number.POSITIVE_INFINITY;
    this.#negativeFrom = signed && float === 0 ? 2 ** (bitsWithSign - 1) : Number.POSITIVE_INFINITY;
    this.#signedSpan = 2 ** bitsWithSign;
    const largestRaw = float === 0 ? 2 ** bitCount : Number.POSITIVE_INFINITY;
    const scale = decimalScale(signal.factor, signal.offset, largestRaw);
    this.#multiply = scale.multiply;
    this.#add = scale.add;
    this.#divide = scale.divide;
  }

  /** Returns false when the frame contains the signal but its value is no finite number. */
  read(data: Uint8Array, length: number, out: Float64Array, switchValues: Float64Array): boolean {
    const absent =
      this.#lastByte >= length ||
      (this.#switch >= 0 && !this.#isActive(switchValues[this.#switch] as number));
    if (absent) {
      if (this.#place >= 0 && this.#isFirst) out[this.#place] = Number.NaN;
      if (this.#ownSwitch >= 0) switchValues[this.#ownSwitch] = Number.NaN;
      return true;
    }
    const low = this.#low.read(data);
    const high = this.#high === undefined ? 0 : this.#high.read(data);
    // The value of a switch is its unsigned bits, because SG_MUL_VAL_ and m<n> give unsigned values.
    if (this.#ownSwitch >= 0) switchValues[this.#ownSwitch] = high * 2 ** LOW_BITS + low;
    if (this.#place < 0) return true;
    // In a wide signal the ranges of absent values begin and end at multiples of 2^32, so only the high part is compared: the whole
    // raw value could be rounded up into a range.
    const bounded = this.#high === undefined ? low : high * 2 ** LOW_BITS;
    if (bounded >= this.#noneFrom) {
      out[this.#place] = bounded >= this.#errorFrom && bounded < this.#errorTo ? ERROR_VALUE : NOT_AVAILABLE;
      return true;
    }

    const value = (this.#number(low, high) * this.#multiply + this.#add) / this.#divide;
    const finite = Number.isFinite(value);
    out[this.#place] = finite ? value : Number.NaN;
    return finite;
  }

  /** Returns whether the switch has one of the signal's values. NaN, the value of an absent switch, is in no range. */
  #isActive(value: number): boolean {
    const ranges = this.#ranges;
    for (let index = 0; index < ranges.length; index += 2)
      if (value >= (ranges[index] as number) && value <= (ranges[index + 1] as number)) return true;
    return false;
  }

  #number(low: number, high: number): number {
    if (this.#float === 32) {
      floats.setUint32(0, low);
      return floats.getFloat32(0);
    }
    if (this.#float === 64) {
      floats.setUint32(0, high);
      floats.setUint32(4, low);
      return floats.getFloat64(0);
    }
    if (this.#high === undefined) return low >= this.#negativeFrom ? low - this.#signedSpan : low;
    const signedHigh = high >= this.#negativeFrom ? high - this.#signedSpan : high;
    return signedHigh * 2 ** LOW_BITS + low; // both terms are exact, so the sum is rounded once, like Number(bigint)
  }
}

const lowPart = ({ startBit, bitCount, bigEndian }: BitLayout): BitLayout => ({
  startBit: bigEndian ? bigEndianBitOrder(bigEndianBitOrder(startBit) + bitCount - LOW_BITS) : startBit,
  bitCount: LOW_BITS,
  bigEndian,
});

const highPart = ({ startBit, bitCount, bigEndian }: BitLayout): BitLayout => ({
  startBit: bigEndian ? startBit : startBit + LOW_BITS,
  bitCount: bitCount - LOW_BITS,
  bigEndian,
});

/** physical = (raw x multiply + add) / divide. */
type Scale = { readonly multiply: number; readonly add: number; readonly divide: number };

const MAX_DECIMAL_PLACES = 15;

/**
 * Returns a scale by which raw x factor + offset is rounded once. 127 x 0.1 is 12.700000000000001 in doubles; 127 x 1 / 10 is the
 * double nearest to 12.7. Uses plain factors for floats and if whole numbers are too large.
 * @param largestRaw the greatest absolute raw value; Infinity for a float
 */
function decimalScale(factor: number, offset: number, largestRaw: number): Scale {
  const plain = { multiply: factor, add: offset, divide: 1 };
  const decimals = Math.max(decimalsOf(factor), decimalsOf(offset));
  if (decimals > MAX_DECIMAL_PLACES) return plain;
  const divide = 10 ** decimals;
  const multiply = Math.round(factor * divide);
  const add = Math.round(offset * divide);
  const exact = multiply / divide === factor && add / divide === offset;
  return exact && largestRaw * Math.abs(multiply) + Math.abs(add) <= Number.MAX_SAFE_INTEGER
    ? { multiply, add, divide }
    : plain;
}

/** Returns the number of decimals in the shortest decimal notation: 0.25 has 2, 1e-7 has 7, 3e5 has none. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1] ?? '';
  return Math.max(0, fraction.length - Number(exponent));
}
