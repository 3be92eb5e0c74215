import { knownSignal } from '#shared/domain/signal.ts';

/** Returns the Dutch name of a signal ('Motortoerental'); a custom name is returned as it is. */
export const signalLabel = (name: string): string => knownSignal(name)?.word ?? name;

/** Returns the name and unit of a signal ('MotorSpeed, rpm'), to show in brackets; undefined for a custom name. */
export function nameAndUnit(name: string): string | undefined {
  const known = knownSignal(name);
  return known && `${name}, ${known.unit}`;
}
