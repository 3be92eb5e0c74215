import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { signedDistanceMetres, sortBySmallestArea } from '#shared/domain/area.ts';
import {
  HOUR_MS,
  type HourlyPriceLookup,
  type PricedPart,
  startOfHour,
} from '#shared/domain/charging-tariffs.ts';
import type { Range } from '#shared/domain/intervals.ts';
import type { ChargingPrices, PricedTerrein } from './tariffs.store.ts';

/** Place and time at which a charging session began; ms, degrees. */
export type SessionStartPlace = {
  readonly from: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** The terrein that the machine was on when the session began, by its positions; null: none, or not tracked yet. */
  readonly terreinId: number | null;
};

/** SQL for the terrein that the machine of a session `c` was on when the session began. */
export const TERREIN_OF_SESSION_SQL = `(select tp.terrein_id from telemetry.terrein_presence tp
  where tp.stream_id = c.stream_id and tp.from_time <= c.from_time and tp.to_time > c.from_time order by tp.from_time desc limit 1)`;

/** Returns the terrein with tariffs on which a session began: by presence, otherwise the smallest area around its place. */
export function terreinOfSession(
  { terreinen }: ChargingPrices,
  organizationId: number,
  { from, latitude, longitude, terreinId }: SessionStartPlace,
): PricedTerrein | undefined {
  const own = terreinen.filter((one) => one.organizationId === organizationId && from < one.until);
  if (own.length === 0) return undefined;
  if (terreinId !== null) return own.find(({ id }) => id === terreinId);
  if (latitude === null || longitude === null) return undefined;
  const around = own.flatMap((terrein) =>
    terrein.areas
      .filter((area) => signedDistanceMetres(area, { lat: latitude, lon: longitude }) <= 0)
      .map((area) => ({ terrein, area })),
  );
  return sortBySmallestArea(around)[0]?.terrein;
}

/** Returns the price of a session by the hour: the terrein's if it has one, otherwise the organization's. */
export function pricingOfSession(
  prices: ChargingPrices,
  organizationId: number,
  session: SessionStartPlace,
): HourlyPriceLookup | undefined {
  const terrein = terreinOfSession(prices, organizationId, session);
  const own = prices.of(organizationId);
  return terrein ? (hour) => terrein.price(hour) ?? own?.(hour) : own;
}

/**
 * Returns, for a machine of an organization, a function from the start of an hour (ms) to the energy that it charged in that hour on
 * terreinen with a tariff.
 */
export type TerreinCharging = (
  streamId: number,
  organizationId: number,
) => ((hourStart: number) => readonly PricedPart[]) | undefined;

type Session = SessionStartPlace & { readonly streamId: number; readonly hours: readonly number[] | null };

/** How long before the period a charging session may have begun; an earlier one is not found. */
const MAX_SESSION_INTERVAL_SQL = "interval '30 days'";

/** Reads the sessions on terreinen with a tariff that charged in a period. */
export async function readTerreinCharging(
  db: Database,
  prices: ChargingPrices,
  streams: readonly number[],
  { from, to }: Range,
): Promise<TerreinCharging> {
  if (prices.terreinen.length === 0) return () => undefined;
  const sessions = await runInShardsOfStreams(db, streams, (shard, own) =>
    shard.query<Session>(
      `select c.stream_id, date_part('epoch', c.from_time) * 1000 as "from", c.latitude, c.longitude,
         ${TERREIN_OF_SESSION_SQL} as terrein_id, c.charged_hours::float8[] as hours
       from telemetry.charging_session c
       where c.stream_id = any ($1) and c.from_time > $2::timestamptz - ${MAX_SESSION_INTERVAL_SQL} and c.from_time < $3 and c.to_time > $2`,
      [own, new Date(from), new Date(to)],
    ),
  );
  const ofStream = Map.groupBy(sessions, ({ streamId }) => streamId);
  return (streamId, organizationId) => {
    const parts = new Map<number, PricedPart[]>();
    for (const session of ofStream.get(streamId) ?? []) {
      const terrein = terreinOfSession(prices, organizationId, session);
      if (terrein) addParts(parts, session, terrein.price);
    }
    return parts.size === 0 ? undefined : (hourStart) => parts.get(hourStart) ?? [];
  };
}

function addParts(
  parts: Map<number, PricedPart[]>,
  { from, hours }: Pick<Session, 'from' | 'hours'>,
  priceAt: HourlyPriceLookup,
): void {
  for (const [n, mj] of hours?.entries() ?? []) {
    const hourStart = startOfHour(from) + n * HOUR_MS;
    const price = mj > 0 ? priceAt(hourStart) : undefined;
    if (price === undefined) continue;
    const known = parts.get(hourStart);
    if (known) known.push({ mj, price });
    else parts.set(hourStart, [{ mj, price }]);
  }
}
