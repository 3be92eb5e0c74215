import { getOwnProperty } from '#shared/domain/own-value.ts';
import { isChargingFlag, type Signals } from '#shared/domain/signal.ts';

/**
 * Merges two readings of one instant (docs/figures.md section 1): stored values stay and new names are added; of two values of a
 * charging flag, the larger one is kept. A stored reading has both axes of a position or neither, so both come from one reading.
 * @returns undefined if nothing new arrived
 */
export function mergeSignals(stored: Signals, arrived: Signals): Signals | undefined {
  let merged: Record<string, number> | undefined;
  for (const name in arrived) {
    const value = arrived[name] as number;
    const before = getOwnProperty(stored, name);
    if (before !== undefined && !(isChargingFlag(name) && value > before)) continue;
    merged ??= { ...stored };
    merged[name] = value;
  }
  return merged;
}
