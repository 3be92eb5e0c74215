/** Our signals in Dutch, for who maps them. */
import { knownSignal } from '#shared/domain/signal.ts';

/** 'Motortoerental'; a name that is not ours is its own word. */
export const wordFor = (name: string): string => knownSignal(name)?.word ?? name;

/** 'MotorSpeed, rpm', to stand behind the word in brackets; undefined for a name that is not ours. */
export function nameAndUnit(name: string): string | undefined {
  const known = knownSignal(name);
  return known && `${name}, ${known.unit}`;
}
