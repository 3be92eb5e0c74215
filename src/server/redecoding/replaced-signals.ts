import { mergeSignals } from '#server/telemetry/merge-signals.ts';
import { getOwnProperty } from '#shared/domain/own-value.ts';
import type { Signals } from '#shared/domain/signal.ts';

/**
 * Returns a stored reading after its log files were decoded by another definition. A stored value that equals the file's value by a former
 * definition came from that file and is removed; other values stay. Then the files are merged again (docs/figures.md section 1).
 * @param former the values of each file at the reading's time by former definitions; each has latitude and longitude, or neither
 * @param files the values by the new definition, of each file in the order of upload
 * @returns undefined when no value is left
 */
export function signalsAfterRedecoding(
  stored: Signals,
  former: readonly Signals[],
  files: readonly Signals[],
): Signals | undefined {
  const left: Record<string, number> = { ...stored };
  for (const brought of former) {
    for (const name in brought) if (hasReplacedValue(brought, name, stored)) delete left[name];
  }
  const merged = files.reduce((signals: Signals, file) => mergeSignals(signals, file) ?? signals, left);
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/**
 * Returns whether the stored value came from this file. A position came from the file only if its latitude and longitude both equal
 * the file's.
 */
const hasReplacedValue = (brought: Signals, name: string, stored: Signals): boolean =>
  name === 'LATITUDE' || name === 'LONGITUDE'
    ? brought.LATITUDE === stored.LATITUDE && brought.LONGITUDE === stored.LONGITUDE
    : brought[name] === getOwnProperty(stored, name);
