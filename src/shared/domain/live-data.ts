/** From the newest value of each signal to what GET /api/live says (LIVE-03; docs/design.md section 7). */
import { isChargingFlag, isSocSignal, knownSignal } from './signal.ts';

/** ms; a signal this much older than the newest reading says nothing about now, and drops out. */
export const SIGNAL_DROPS_AFTER_MS = 5 * 60_000;

/** The newest value of one signal; time in ms since 1970. */
export type LatestValue = { readonly value: number; readonly time: number };

/** True for a signal that live data carries, position and time apart. */
export const isLiveSignal = (name: string): boolean =>
  knownSignal(name)?.live || isSocSignal(name) || isChargingFlag(name);

/** The part of an answer that this makes (contract/live.ts says what it means). */
type LiveData = Record<string, number> & { LATITUDE: number; LONGITUDE: number; GMT_UNIX: number };

/**
 * @param latest Name and newest value of each signal of one stream.
 * @param newestMs Time of the stream's newest reading, ms; undefined when there was none yet.
 * @returns The wire form. The position stays whatever its age, POSITION_UNIX says it
 *   (of two times the older); a missing coordinate is 0.
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
    const fresh = newestMs !== undefined && newestMs - time <= SIGNAL_DROPS_AFTER_MS;
    if (fresh && isLiveSignal(name)) liveData[name] = value;
  }
  return liveData;
}
