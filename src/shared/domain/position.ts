/** The position of a machine (LIVE-06). */
import type { SignalValues } from './machine-status.ts';
import type { Signals } from './signal.ts';

/** Degrees, WGS 84. */
export type Position = { readonly lat: number; readonly lon: number };

/**
 * Returns the position in a reading or in live data; undefined when LATITUDE or LONGITUDE is missing, exactly 0 (live data's value for
 * missing, LIVE-03), not finite, or out of range. The poles and the meridian of 180 degrees are out of range too: a raw 0 in a layout with
 * offsets -90 and -180 gives them, and no machine works there.
 */
export function positionOf(signals: SignalValues): Position | undefined {
  const lat = signals.LATITUDE ?? 0;
  const lon = signals.LONGITUDE ?? 0;
  if (lat === 0 || lon === 0) return undefined;
  // NaN fails both comparisons.
  return Math.abs(lat) < 90 && Math.abs(lon) < 180 ? { lat, lon } : undefined;
}

/**
 * Returns the signals without their position if it is invalid: a receiver that lost its fix reports 0 or invalid coordinates, which must
 * not replace the last known position (docs/figures.md section 1).
 */
export function withoutFalsePosition(signals: Signals): Signals {
  // Runs for every upload, so a valid position is not copied.
  if (signals.LATITUDE === undefined && signals.LONGITUDE === undefined) return signals;
  if (positionOf(signals)) return signals;
  const { LATITUDE, LONGITUDE, ...others } = signals;
  return others;
}

/** Signal of the first reading in a new segment of a recorded track; how the machine came there from the position before is unknown. */
export const NEW_SEGMENT = 'NEW_SEGMENT';
