import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';

type Shape = Partial<Pick<DbcSignal, 'bitCount' | 'max' | 'values'>> & Pick<DbcSignal, 'unit'>;

/** Names of values that mean a missing value. */
const MISSING =
  /^(sna|n\/?a)$|_sna$|not.?available|invalid|error|fault|unknown|reserved|undefined|don.?t.?care/i;

/** Returns the named values, without those for a missing value. */
const namedValues = ({ values = new Map() }: Shape): number[] =>
  [...values].filter(([, name]) => !MISSING.test(name.trim())).map(([value]) => value);

/**
 * Returns whether a signal is on or off: one bit, the two bits of SAE J1939, or a wider signal that goes up to 1 and has no named state
 * beyond it.
 */
export function isFlagSignal(signal: Shape): boolean {
  const { bitCount, max } = signal;
  return (
    (bitCount === undefined || bitCount <= 2 || max === 1) && namedValues(signal).every((value) => value <= 1)
  );
}

/** Returns whether a signal is one of several named states. A measured number has a unit, or names for missing values only. */
export const isEnumeration = (signal: Shape): boolean =>
  signal.unit.trim() === '' && namedValues(signal).length > 1;
