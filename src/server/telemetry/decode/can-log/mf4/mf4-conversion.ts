import type { Mf4Block } from './mf4-block.ts';

/** Converts the number in a record to the value of its channel. */
export type Conversion = { of(raw: number): number };

export const IDENTITY_CONVERSION: Conversion = { of: (raw) => raw };

const LINEAR = 1;
/**
 * Types of conversion tables from value to value, with and without interpolation. Frames contain only numbers that are in the
 * table, so no value is interpolated.
 */
const TABLES = [4, 5];
const VALUES_AT = 24;
/** Maximum number of pairs in a table; a table of length codes has 16. */
const MAX_PAIRS = 256;

class Linear implements Conversion {
  readonly #offset: number;
  readonly #factor: number;

  constructor(offset: number, factor: number) {
    this.#offset = offset;
    this.#factor = factor;
  }

  of(raw: number): number {
    return this.#offset + this.#factor * raw;
  }
}

class Table implements Conversion {
  readonly #pairs: Float64Array;

  constructor(pairs: Float64Array) {
    this.#pairs = pairs;
  }

  /** Returns the table's value; NaN for a number that is not in the table. */
  of(raw: number): number {
    const pairs = this.#pairs;
    for (let at = 0; at + 1 < pairs.length; at += 2) if (pairs[at] === raw) return pairs[at + 1] as number;
    return Number.NaN;
  }
}

/** Reads a CC block (a conversion). Conversions to text and formulas leave the number unchanged. */
export function readConversion(block: Mf4Block | undefined): Conversion {
  if (block === undefined || block.data.length < VALUES_AT) return IDENTITY_CONVERSION;
  const count = Math.min(Math.floor((block.data.length - VALUES_AT) / 8), 2 * MAX_PAIRS);
  const view = new DataView(block.data.buffer, block.data.byteOffset + VALUES_AT, count * 8);
  const values = Float64Array.from({ length: count }, (_, index) => view.getFloat64(index * 8, true));
  const type = block.data[0] as number;
  if (type === LINEAR && count >= 2) return new Linear(values[0] as number, values[1] as number);
  return TABLES.includes(type) ? new Table(values) : IDENTITY_CONVERSION;
}
