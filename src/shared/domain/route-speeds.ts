import { formatDecimals } from './nl.ts';

/** The speeds of a machine on a route (docs/figures.md section 6). */

/** Absolute speed from which the machine is under way. */
export const UNDER_WAY_KMH = 1;

/** Speeds of a part of the route; km/h. null: no position has a speed, or the machine was never under way. */
export type Speeds = {
  readonly highest: number | null;
  /** When the machine first reached the highest speed, ms. */
  readonly highestAt: number | null;
  /** Mean over the time in which the machine was under way. */
  readonly mean: number | null;
};

/** Sums of a part of the route, from which the speeds over several parts are computed; km/h and ms. */
export type SpeedSums = Omit<Speeds, 'mean'> & { readonly kmhMs: number; readonly underWayMs: number };

const NO_SUMS: SpeedSums = { highest: null, highestAt: null, kmhMs: 0, underWayMs: 0 };

/** Returns the speeds over several parts of one route. */
export function combineSpeedSums(parts: readonly SpeedSums[]): Speeds {
  const { highest, highestAt, kmhMs, underWayMs } = parts.reduce(
    (sum, part) => ({
      ...(part.highest !== null && (sum.highest === null || part.highest > sum.highest)
        ? { highest: part.highest, highestAt: part.highestAt }
        : { highest: sum.highest, highestAt: sum.highestAt }),
      kmhMs: sum.kmhMs + part.kmhMs,
      underWayMs: sum.underWayMs + part.underWayMs,
    }),
    NO_SUMS,
  );
  return { highest, highestAt, mean: underWayMs > 0 ? kmhMs / underWayMs : null };
}

/** Returns 'hoogste 41,2 km/h, gemiddeld 18,0 km/h onderweg'. @param unit spelling of the unit on that screen */
export function speedsText(
  { highest, mean }: Pick<Speeds, 'highest' | 'mean'>,
  unit: 'km/h' | 'km/u',
): string {
  const text = (speed: number | null): string =>
    speed === null ? '--' : `${formatDecimals(speed, 1)} ${unit}`;
  return `hoogste ${text(highest)}, gemiddeld ${text(mean)} onderweg`;
}

/** Longest route, in days, for which speeds are computed, because every position of it must be read. */
export const MAX_ROUTE_SPEEDS_DAYS = 7;
