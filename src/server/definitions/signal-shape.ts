import type { DbcSignal } from '#server/telemetry/decode/dbc/dbc.ts';

type Shape = Partial<Pick<DbcSignal, 'bitCount' | 'max' | 'values'>> & Pick<DbcSignal, 'unit'>;

/** Names of values that say that there is none. */
const MISSING =
  /^(sna|n\/?a)$|_sna$|not.?available|invalid|error|fault|unknown|reserved|undefined|don.?t.?care/i;

/** Values with a name that says something. */
const namedValues = ({ values = new Map() }: Shape): number[] =>
  [...values].filter(([, name]) => !MISSING.test(name.trim())).map(([value]) => value);

/** On or off: one bit, the two bits of SAE J1939, or a wider signal that goes up to 1. One with a state beyond 1 is none. */
export function isFlag(signal: Shape): boolean {
  const { bitCount, max } = signal;
  return (
    (bitCount === undefined || bitCount <= 2 || max === 1) && namedValues(signal).every((value) => value <= 1)
  );
}

/** One of several states by name; a number that is measured has a unit, or names only for what is missing. */
export const isEnumeration = (signal: Shape): boolean =>
  signal.unit.trim() === '' && namedValues(signal).length > 1;
