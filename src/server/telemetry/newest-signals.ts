import { ownValue } from '#shared/domain/own-value.ts';
import { isChargingFlag, isSocSignal, knownSignal, type Signals } from '#shared/domain/signal.ts';
import { isUnused } from '#shared/domain/unused-names.ts';

/** Name to value and since when it is known, ms: what `latest` keeps of a stream (docs/figures.md section 9). */
export type NewestSignals = Readonly<Record<string, readonly [value: number, since: number]>>;

/** Names of signals that `latest` keeps per stream. */
export const MOST_NAMES = 2_000;

/** A delivery: `since` is its time or when it was received, whichever is earlier. */
type Heard = { readonly time: number; readonly since: number; readonly signals: Signals };

/**
 * The newest of each name. Of one instant the value that was there stays, but the larger flag counts; of two instants
 * that count at the same time the later received. A name without a place is in its reading all the same.
 * @param heard in the order in which it was received
 */
export function mergeNewest(
  known: NewestSignals,
  heard: readonly Heard[],
): { readonly signals: NewestSignals; readonly leftOut: number } {
  const newest: Record<string, readonly [number, number]> = { ...known };
  for (const { time, since, signals } of heard) {
    for (const name in signals) {
      if (isUnused(name)) continue;
      const value = signals[name] as number;
      const before = ownValue(newest, name);
      if (before === undefined || since > before[1]) newest[name] = [value, since];
      else if (since === before[1]) {
        const isOneInstant = since === time;
        if (!isOneInstant || (isChargingFlag(name) && value > before[0])) newest[name] = [value, since];
      }
    }
  }
  const names = Object.keys(newest);
  if (names.length <= MOST_NAMES) return { signals: newest, leftOut: 0 };
  return { signals: withPlace(newest), leftOut: names.length - MOST_NAMES };
}

const isOurs = (name: string): boolean =>
  knownSignal(name) !== undefined || isSocSignal(name) || isChargingFlag(name);

/** Ours first, then by time, so that what remains depends on the readings and not on their order. */
function withPlace(signals: NewestSignals): NewestSignals {
  const first = Object.entries(signals).sort(
    ([a, [, atA]], [b, [, atB]]) => Number(isOurs(b)) - Number(isOurs(a)) || atB - atA || (a < b ? -1 : 1),
  );
  return Object.fromEntries(first.slice(0, MOST_NAMES));
}
