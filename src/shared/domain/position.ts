/** Where a machine is, or that this is not known (LIVE-06). */
import type { SignalValues } from './machine-status.ts';
import type { Signals } from './signal.ts';

/** Degrees, WGS 84. */
export type Position = { readonly lat: number; readonly lon: number };

/**
 * The position in a reading or in live data. undefined when LATITUDE or LONGITUDE is missing, exactly 0 (how
 * the wire says missing, LIVE-03; a real fix is never exactly 0), not finite, or off the globe. The poles and the meridian of 180
 * degrees are off it too: a raw 0 of a layout with the offsets -90 and -180 says them, and no machine works there.
 */
export function positionOf(signals: SignalValues): Position | undefined {
  const lat = signals.LATITUDE ?? 0;
  const lon = signals.LONGITUDE ?? 0;
  if (lat === 0 || lon === 0) return undefined;
  // NaN fails both comparisons.
  return Math.abs(lat) < 90 && Math.abs(lon) < 180 ? { lat, lon } : undefined;
}

/**
 * The signals of a delivery, whose position is both axes or none: a receiver that lost its fix says 0 or rubbish, and
 * the last known position must outlive that (docs/figures.md section 1).
 */
export function withoutFalsePosition(signals: Signals): Signals {
  // Asked of every upload: nothing is copied for a position that is one.
  if (signals.LATITUDE === undefined && signals.LONGITUDE === undefined) return signals;
  if (positionOf(signals)) return signals;
  const { LATITUDE, LONGITUDE, ...others } = signals;
  return others;
}

/** Signal of the first reading of a new segment of a recorded track; the way from the position before it is unknown. */
export const NEW_SEGMENT = 'NEW_SEGMENT';
