import type { OracleSignal } from './definition.ts';

/** Returns a signal's raw value from the bits in the frame; undefined when the data is too short. */
export function rawValue(signal: OracleSignal, data: readonly number[]): bigint | undefined {
  const bits: number[] = [];
  let at = signal.startBit;
  while (bits.length < signal.bitCount) {
    const byte = data[Math.floor(at / 8)];
    if (byte === undefined) return undefined;
    bits.push(Math.floor(byte / 2 ** (at % 8)) % 2);
    // Motorola: down through the byte, then at the top of the next one.
    if (signal.bigEndian) at = at % 8 === 0 ? at + 15 : at - 1;
    else at += 1;
  }
  if (!signal.bigEndian) bits.reverse();
  return BigInt(`0b${bits.join('')}`);
}

/** Returns the physical value as a whole number of units of 10^-decimals. */
export function scaledPhysicalValue(signal: OracleSignal, raw: bigint): bigint {
  const isNegative = signal.signed && raw >= 2n ** BigInt(signal.bitCount - 1);
  const whole = isNegative ? raw - 2n ** BigInt(signal.bitCount) : raw;
  return whole * signal.factor + signal.offset;
}

/** Returns the physical value, rounded once. */
export const physicalValue = (signal: OracleSignal, raw: bigint): number =>
  Number(`${scaledPhysicalValue(signal, raw)}e-${signal.decimals}`);

export type AbsenceKind = 'notAvailable' | 'error';

/**
 * Returns what a raw value of J1939 means instead of a measurement, according to J1939-71, tables 1 and 2; undefined
 * for a measurement. Values between the measurements and the errors (FB to FD: specific to the parameter, and reserved)
 * count as not available.
 */
export function absenceOfRawValue(signal: OracleSignal, raw: bigint): AbsenceKind | undefined {
  const { bitCount } = signal;
  const first = firstNone(bitCount);
  if (signal.signed || bitCount === 1 || raw < first || needs(signal, first)) return undefined;
  if (bitCount === 2) return raw === 2n ? 'error' : 'notAvailable';
  if (bitCount < 8) return 'notAvailable';
  return raw / 2n ** BigInt(bitCount - 8) === 0xfen ? 'error' : 'notAvailable';
}

/**
 * Returns the lowest raw value that is no measurement: binary 10 for a signal of two bits, all ones for another signal of less
 * than 8 bits, and FB in the highest 8 bits for a longer signal.
 */
function firstNone(bitCount: number): bigint {
  if (bitCount === 2) return 2n;
  return bitCount < 8 ? 2n ** BigInt(bitCount) - 1n : 0xfbn * 2n ** BigInt(bitCount - 8);
}

/**
 * Returns whether the raw value `first` is a measurement, because the DBC's range includes it; false for a signal of less than 8
 * bits if the DBC's text for all ones is 'Error' or 'Not available'.
 */
function needs(signal: OracleSignal, first: bigint): boolean {
  const { bitCount, range, factor, texts } = signal;
  if (range === undefined || range[0] === range[1]) return false;
  const text = texts?.get(2 ** bitCount - 1) ?? '';
  if (bitCount < 8 && ['Error', 'Not available'].includes(text)) return false;
  const value = scaledPhysicalValue(signal, first);
  return factor > 0n ? value <= range[1] : value >= range[0];
}
