import type { ChargingPrices } from '#server/charging-tariffs/tariffs.store.ts';
import { readTerreinCharging } from '#server/charging-tariffs/terrein-charging.ts';
import type { Database } from '#server/platform/database.ts';
import { amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import { type ChargingCost, costOf, HOUR_MS } from '#shared/domain/charging-tariffs.ts';
import { knownEnergy } from '#shared/domain/figures.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { reportRangeMs } from '#shared/domain/reports/settings.ts';

/** The charged energy of a machine on a day: in total, or on a project. */
export type ChargedDay = {
  readonly streamId: number;
  readonly organizationId: number;
  /** Day in Amsterdam, 'YYYY-MM-DD'. */
  readonly day: string;
  readonly knownMs: number;
  readonly chargedMj: number;
  /** Clock hour of the day at which `hours` (mJ per hour) starts; null: not read, or nothing charged. */
  readonly fromHour: number | null;
  readonly hours: readonly number[] | null;
};

/** Returns the SQL columns `fromHour` and `hours` of day figures `d`. */
export const chargedHoursSql = (isRead: boolean): string =>
  isRead
    ? 'd.charged_from_hour as from_hour, d.charged_hours::float8[] as hours'
    : 'null as from_hour, null as hours';

/** Returns a function that gives the start and end of a day, ms. The function caches them, because thousands of rows share a day. */
export function openDayRanges(): (day: string) => Range {
  const known = new Map<string, Range>();
  return (day) => {
    const range = known.get(day) ?? amsterdamDayRange(day) ?? { from: 0, to: 0 };
    known.set(day, range);
    return range;
  };
}

/** Returns the cost of a day's charged energy; null if there is no tariff, or the energy is not known. */
export type DayCost = (day: ChargedDay) => ChargingCost | null;

/**
 * Reads the charging of these machines on terreinen, and returns the function that computes the cost of a day.
 * @param prices the prices of the report; undefined: there are no tariffs
 */
export async function readDayCost(
  db: Database,
  prices: ChargingPrices | undefined,
  streams: readonly number[],
  settings: { readonly from: string; readonly to: string },
  rangeOf: (day: string) => Range,
): Promise<DayCost> {
  if (!prices) return () => null;
  const charging = await readTerreinCharging(db, prices, streams, reportRangeMs(settings));
  return ({ streamId, organizationId, day, knownMs, chargedMj, fromHour, hours }) => {
    if (knownEnergy(knownMs, chargedMj) === null) return null;
    const firstHour = rangeOf(day).from + (fromHour ?? 0) * HOUR_MS;
    const parts = charging(streamId, organizationId);
    return costOf(prices.of(organizationId), { chargedMj, firstHour, hours }, parts);
  };
}
