/** Our signals in Dutch, for who maps them. */
import { knownSignal } from '#shared/domain/signal.ts';

/** 'Motortoerental'; a name that is not ours is its own word. */
export const signalText = (name: string): string => knownSignal(name)?.word ?? name;

/** Returns the name and unit of a signal ('MotorSpeed, rpm'), to show in brackets; undefined for an own name. */
export function nameAndUnit(name: string): string | undefined {
  const known = knownSignal(name);
  return known && `${name}, ${known.unit}`;
}
