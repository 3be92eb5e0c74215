import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';

/** First value of the most significant byte that is no measurement: FB to FD are reserved, FE is an error, FF is not available. */
const FIRST_NONE_BYTE = 0xfb;
const ERROR_BYTE = 0xfe;
const BYTE_BITS = 8;
/** Pattern of words that DBC files use for states that are no measurement. */
const NONE_WORDS = /not available|unavailable|error|don'?t care|no action|niet beschikbaar|fout/i;

/**
 * Raw values of a signal that are no measurement: from `first` up to all ones. Values from `firstError` up to `afterErrors` are
 * errors; the other values mean that the ECU has no value.
 */
export type AbsentRawValues = {
  readonly first: number;
  readonly firstError: number;
  readonly afterErrors: number;
};

/**
 * Returns the raw values of a signal that are no measurement (J1939-71, table 1). Returns undefined when each raw value is a
 * measurement: for a single bit, a signed number, a float, a text, and a signal whose range in the DBC includes those values.
 */
export function absentRawValues(signal: DbcSignal): AbsentRawValues | undefined {
  const { bitCount, signed, float } = signal;
  if (signed || float !== 0 || bitCount === 1 || bitCount > 64) return undefined;
  const none = noneOf(bitCount);
  return needsThem(signal, none.first) ? undefined : none;
}

function noneOf(bitCount: number): AbsentRawValues {
  if (bitCount >= BYTE_BITS) {
    const unit = 2 ** (bitCount - BYTE_BITS);
    return {
      first: FIRST_NONE_BYTE * unit,
      firstError: ERROR_BYTE * unit,
      afterErrors: (ERROR_BYTE + 1) * unit,
    };
  }
  // Two bits are a state: 10 is an error, 11 not available. In other widths only a value of all ones is absent.
  const last = 2 ** bitCount - 1;
  return { first: bitCount === 2 ? 2 : last, firstError: bitCount === 2 ? 2 : last, afterErrors: last };
}

/**
 * Returns whether the range of the signal in the DBC includes raw values from `first` on, so that these are measurements. A range
 * of 0 to 0 means an unknown range. The range is ignored if the DBC's text for the raw value of all ones says 'not available' or such.
 */
function needsThem({ min, max, factor, offset, values, bitCount }: DbcSignal, first: number): boolean {
  if (min === max || factor === 0) return false;
  if (bitCount < BYTE_BITS && NONE_WORDS.test(values?.get(2 ** bitCount - 1) ?? '')) return false;
  const farthest = (factor > 0 ? max : min) - offset;
  // Tolerates a difference of half a raw value, because ranges are written with few digits.
  return farthest / factor > first - 0.5;
}
