import { metresBetween } from './counting.ts';
import type { Position } from './path.ts';
import { bucketOf, FIVE_MINUTES } from './track.ts';

/** The scatter of an hour: docs/figures.md section 6. */

/** Middle of the box of the hour, and the scatter in m. */
export type HourBox = { readonly lat: number; readonly lon: number; readonly scatter: number };

/** Returns the box of the hour that a position at this time is compared with; undefined: no position lies in it. */
export function hourBefore(positions: readonly Position[], time: number): HourBox | undefined {
  const end = bucketOf(time) - FIVE_MINUTES;
  const inHour = positions.filter((one) => one.time >= end - 12 * FIVE_MINUTES && one.time < end);
  if (inHour.length === 0) return undefined;
  const lats = inHour.map(({ lat }) => lat).sort((a, b) => a - b);
  const lons = inHour.map(({ lon }) => lon).sort((a, b) => a - b);
  const [south = 0, north = south] = [lats[0], lats.at(-1)];
  const [west = 0, east = west] = [lons[0], lons.at(-1)];
  const diagonal = metresBetween({ lat: south, lon: west }, { lat: north, lon: east });
  return { lat: (south + north) / 2, lon: (west + east) / 2, scatter: diagonal };
}
