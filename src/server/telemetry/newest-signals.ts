import { getOwnProperty } from '#shared/domain/own-value.ts';
import { isChargingFlag, isSocSignal, knownSignal, type Signals } from '#shared/domain/signal.ts';
import { isUnused } from '#shared/domain/unused-names.ts';

/** The newest values of a stream in `latest`, by name: a value and the time in ms since which it is known (docs/figures.md section 9). */
export type NewestSignals = Readonly<Record<string, readonly [value: number, since: number]>>;

/** Maximum number of signals per stream in `latest`. */
export const MAX_LATEST_SIGNALS = 2_000;

/** A received reading. `since`: its time, or the time when it was received if that is earlier. */
type ReceivedReading = { readonly time: number; readonly since: number; readonly signals: Signals };

/**
 * Returns the newest value of each name. Of two values at the same instant, the stored one stays; of two charging flags, the larger
 * one. Of two values of different instants with the same `since`, the one that was received later is used. Signals above the
 * maximum number are left out here, but are stored in their reading.
 * @param received in the order in which they were received
 */
export function mergeNewest(
  known: NewestSignals,
  received: readonly ReceivedReading[],
): { readonly signals: NewestSignals; readonly leftOut: number } {
  const newest: Record<string, readonly [number, number]> = { ...known };
  for (const { time, since, signals } of received) {
    for (const name in signals) {
      if (isUnused(name)) continue;
      const value = signals[name] as number;
      const before = getOwnProperty(newest, name);
      if (before === undefined || since > before[1]) newest[name] = [value, since];
      else if (since === before[1]) {
        const isOneInstant = since === time;
        if (!isOneInstant || (isChargingFlag(name) && value > before[0])) newest[name] = [value, since];
      }
    }
  }
  const names = Object.keys(newest);
  if (names.length <= MAX_LATEST_SIGNALS) return { signals: newest, leftOut: 0 };
  return { signals: withPlace(newest), leftOut: names.length - MAX_LATEST_SIGNALS };
}

const isOurs = (name: string): boolean =>
  knownSignal(name) !== undefined || isSocSignal(name) || isChargingFlag(name);

/** Keeps the portal's custom signals first and then the newest ones, so that the result depends on the readings and not on their order. */
function withPlace(signals: NewestSignals): NewestSignals {
  const first = Object.entries(signals).sort(
    ([a, [, atA]], [b, [, atB]]) => Number(isOurs(b)) - Number(isOurs(a)) || atB - atA || (a < b ? -1 : 1),
  );
  return Object.fromEntries(first.slice(0, MAX_LATEST_SIGNALS));
}
