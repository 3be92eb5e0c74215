import { decimals } from './nl.ts';

/** How fast a machine went on a route (docs/figures.md section 6). */

/** km/h, either way; a position from this speed on is under way. */
export const UNDER_WAY_KMH = 1;

/** Speeds of a part of the route; km/h. null: no position has a speed, or the machine was never under way. */
export type Speeds = {
  readonly highest: number | null;
  /** When it first went that fast, ms. */
  readonly highestAt: number | null;
  /** Over the time in which it was under way. */
  readonly mean: number | null;
};

/** Sums from which speeds are made; km/h, ms. */
export type SpeedSums = Omit<Speeds, 'mean'> & { readonly kmhMs: number; readonly underWayMs: number };

const NO_SUMS: SpeedSums = { highest: null, highestAt: null, kmhMs: 0, underWayMs: 0 };

/** Returns the speeds of several parts of one route. */
export function speedsOf(parts: readonly SpeedSums[]): Speeds {
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

/** 'hoogste 41,2 km/h, gemiddeld 18,0 km/h onderweg'. @param unit as the place writes it where it stands */
export function speedsText(
  { highest, mean }: Pick<Speeds, 'highest' | 'mean'>,
  unit: 'km/h' | 'km/u',
): string {
  const text = (speed: number | null): string => (speed === null ? '--' : `${decimals(speed, 1)} ${unit}`);
  return `hoogste ${text(highest)}, gemiddeld ${text(mean)} onderweg`;
}

/** Days of a route of which speeds are computed: every position of it is read. */
export const MOST_SPEED_DAYS = 7;
