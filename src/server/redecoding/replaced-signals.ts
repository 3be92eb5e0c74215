import { mergeSignals } from '#server/telemetry/merge-signals.ts';
import { ownValue } from '#shared/domain/own-value.ts';
import type { Signals } from '#shared/domain/signal.ts';

/**
 * A stored reading when its log files are decoded by another definition. What a file had brought is known by its value:
 * a stored one that is exactly what the file said by the former definition goes; what others brought stays, and then the
 * files are merged anew (docs/figures.md section 1).
 * @param former what each file said of this instant by the definitions that held, position whole or none
 * @param files what they say by the new one, in the order of delivery
 * @returns undefined: nothing is left
 */
export function replacedSignals(
  stored: Signals,
  former: readonly Signals[],
  files: readonly Signals[],
): Signals | undefined {
  const left: Record<string, number> = { ...stored };
  for (const brought of former) {
    for (const name in brought) if (isIts(brought, name, stored)) delete left[name];
  }
  const merged = files.reduce((signals: Signals, file) => mergeSignals(signals, file) ?? signals, left);
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/** Half of a position that is the same is not the file's. */
const isIts = (brought: Signals, name: string, stored: Signals): boolean =>
  name === 'LATITUDE' || name === 'LONGITUDE'
    ? brought.LATITUDE === stored.LATITUDE && brought.LONGITUDE === stored.LONGITUDE
    : brought[name] === ownValue(stored, name);
