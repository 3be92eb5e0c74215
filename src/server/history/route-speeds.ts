import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { type SpeedSums, type Speeds, speedsOf, UNDER_WAY_KMH } from '#shared/domain/route-speeds.ts';
import { segmentsOf } from './range.ts';
import { readTransports } from './transports.ts';

/** Number of points that a graph as wide as the page can show. */
const SLOTS = 400;

export type RouteSpeeds = {
  readonly driven: Speeds;
  /** Speeds during transports. */
  readonly carried: Speeds;
  /** The highest speed of each time slot that has one, in order; ms, km/h. */
  readonly course: readonly { readonly at: number; readonly kmh: number; readonly isCarried: boolean }[];
  readonly slotMs: number;
};

type Row = SpeedSums & { readonly slot: number; readonly isCarried: boolean };

/**
 * Returns how fast a machine went in a range, from every valid position with a speed, in either direction. A speed is
 * valid until the next such position, for at most 5 minutes. Positions inside a transport are carried.
 * @param seen with the times whose positions the caller may see
 * @param range at most MOST_SPEED_DAYS long
 */
export async function routeSpeeds(db: Database, seen: OwnHistory, range: Range): Promise<RouteSpeeds> {
  const [transports = []] = await readTransports(db, [seen], range);
  const slotMs = Math.max(1_000, Math.ceil((range.to - range.from) / SLOTS));
  const rows: Row[] = [];
  for (const { from, to } of segmentsOf(range, seen.own)) {
    const found = await ofStream(db, seen.streamId).query<Row>(
      `with positions as (
         select time, abs(speed) as kmh, $5::tstzmultirange @> time as is_carried, floor((date_part('epoch', time) * 1000 - $6) / $7)::integer as slot,
           coalesce(date_part('epoch', lead(time) over (order by time) - time) * 1000, 0) as next_ms
         from telemetry.reading where stream_id = $1 and time >= $2 and time < $3 and latitude is not null and speed is not null
       )
       select slot, is_carried as "isCarried", max(kmh)::float8 as highest,
         date_part('epoch', (array_agg(time order by kmh desc, time))[1]) * 1000 as "highestAt",
         coalesce(sum(kmh * least(next_ms, $8)) filter (where kmh >= $4), 0)::float8 as "kmhMs",
         coalesce(sum(least(next_ms, $8)) filter (where kmh >= $4), 0)::float8 as "underWayMs"
       from positions group by slot, is_carried order by slot, is_carried`,
      [
        seen.streamId,
        new Date(from),
        new Date(to),
        UNDER_WAY_KMH,
        `{${transports.map((one) => `[${new Date(one.from).toISOString()},${new Date(one.to).toISOString()}]`).join(',')}}`,
        range.from,
        slotMs,
        MAX_GAP_MS,
      ],
    );
    rows.push(...found.rows);
  }
  const bySlot = Map.groupBy(rows, ({ slot }) => slot);
  return {
    driven: speedsOf(rows.filter(({ isCarried }) => !isCarried)),
    carried: speedsOf(rows.filter(({ isCarried }) => isCarried)),
    course: [...bySlot.values()].map((inSlot) => {
      const fastest = inSlot.reduce((a, b) => ((b.highest ?? 0) > (a.highest ?? 0) ? b : a));
      return {
        at: fastest.highestAt as number,
        kmh: fastest.highest as number,
        isCarried: fastest.isCarried,
      };
    }),
    slotMs,
  };
}
