import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';

/** FB to FF in the most significant byte: reserved, error (FE) and not available (FF). */
const FIRST_NONE_BYTE = 0xfb;
const BYTE_BITS = 8;
/** Words of DBC files for states that are no measurement. */
const NONE_WORDS = /not available|unavailable|error|don'?t care|no action|niet beschikbaar|fout/i;

/**
 * Returns the first raw value of a signal that is no measurement (J1939-71, table 1): from there up to all ones an ECU says
 * that it has none, or that it is wrong. Infinity where each raw value counts: a single bit, a signed number, a float, a text,
 * and a signal whose range in the DBC needs those values.
 */
export function firstNone(signal: DbcSignal): number {
  const { bitCount, signed, float } = signal;
  if (signed || float !== 0 || bitCount === 1 || bitCount > 64) return Number.POSITIVE_INFINITY;
  const first = rawOf(bitCount);
  return needsThem(signal, first) ? Number.POSITIVE_INFINITY : first;
}

function rawOf(bitCount: number): number {
  if (bitCount >= BYTE_BITS) return FIRST_NONE_BYTE * 2 ** (bitCount - BYTE_BITS);
  // Two bits are a state: 10 is an error, 11 not available. Other widths have all ones only.
  return bitCount === 2 ? 2 : 2 ** bitCount - 1;
}

/** A range of 0 to 0 says nothing; states whose own words say that they are none do not need them. */
function needsThem({ min, max, factor, offset, values, bitCount }: DbcSignal, first: number): boolean {
  if (min === max || factor === 0) return false;
  if (bitCount < BYTE_BITS && NONE_WORDS.test(values?.get(2 ** bitCount - 1) ?? '')) return false;
  const farthest = (factor > 0 ? max : min) - offset;
  // A range is written with few digits.
  return farthest / factor > first - 0.5;
}
