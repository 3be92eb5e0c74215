import { metresBetween } from './counting.ts';
import type { Position } from './path.ts';
import { bucketOf, FIVE_MINUTES_IN_MS } from './track.ts';

/** Computes the scatter of a machine's positions in one hour, as defined in docs/figures.md section 6. */

/** Middle of the box around an hour's positions, and their scatter in m. */
export type HourScatter = { readonly lat: number; readonly lon: number; readonly scatter: number };

/** Returns the scatter of the hour that a position at this time is compared with; undefined: the hour has no positions. */
export function scatterOfHourBefore(positions: readonly Position[], time: number): HourScatter | undefined {
  const end = bucketOf(time) - FIVE_MINUTES_IN_MS;
  const inHour = positions.filter((one) => one.time >= end - 12 * FIVE_MINUTES_IN_MS && one.time < end);
  if (inHour.length === 0) return undefined;
  const lats = inHour.map(({ lat }) => lat).sort((a, b) => a - b);
  const lons = inHour.map(({ lon }) => lon).sort((a, b) => a - b);
  const [south = 0, north = south] = [lats[0], lats.at(-1)];
  const [west = 0, east = west] = [lons[0], lons.at(-1)];
  const diagonal = metresBetween({ lat: south, lon: west }, { lat: north, lon: east });
  return { lat: (south + north) / 2, lon: (west + east) / 2, scatter: diagonal };
}
