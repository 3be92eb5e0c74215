/** Makes the live data of GET /api/live from the newest value of each signal (LIVE-03; docs/design.md section 7). */
import { isChargingFlag, isSocSignal, knownSignal } from './signal.ts';

/** A signal that is this much older than the newest reading is left out, because it says nothing about now. */
export const MAX_SIGNAL_AGE_MS = 5 * 60_000;

/** The newest value of one signal; time in ms since 1970. */
export type LatestValue = { readonly value: number; readonly time: number };

/** Returns whether live data contains a signal while it is fresh. Position and time, which live data always contains, give false. */
export const isLiveSignal = (name: string): boolean =>
  knownSignal(name)?.live || isSocSignal(name) || isChargingFlag(name);

/** The live data of one machine (contract/live.ts). */
type LiveData = Record<string, number> & { LATITUDE: number; LONGITUDE: number; GMT_UNIX: number };

/**
 * Returns the live data of a stream. The position stays whatever its age; POSITION_UNIX is the older time of its two coordinates. A missing
 * coordinate is 0.
 * @param latest name and newest value of each signal of the stream
 * @param newestMs time of the stream's newest reading, ms; undefined when there was none yet
 */
export function liveDataOf(
  latest: Iterable<readonly [string, LatestValue]>,
  newestMs: number | undefined,
): LiveData {
  const values = new Map(latest);
  const liveData: LiveData = {
    LATITUDE: values.get('LATITUDE')?.value ?? 0,
    LONGITUDE: values.get('LONGITUDE')?.value ?? 0,
    GMT_UNIX: newestMs === undefined ? 0 : Math.floor(newestMs / 1000),
  };
  const positionMs = Math.min(values.get('LATITUDE')?.time ?? 0, values.get('LONGITUDE')?.time ?? 0);
  if (positionMs > 0) liveData.POSITION_UNIX = Math.floor(positionMs / 1000);
  for (const [name, { value, time }] of values) {
    const fresh = newestMs !== undefined && newestMs - time <= MAX_SIGNAL_AGE_MS;
    if (fresh && isLiveSignal(name)) liveData[name] = value;
  }
  return liveData;
}
