import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { columnForFigures } from '#server/telemetry/readings/columns.ts';
import { readColumnPages } from '#server/telemetry/readings/read-columns.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { combineSpeedSums, type Speeds, UNDER_WAY_KMH } from '#shared/domain/route-speeds.ts';
import { ownedSegmentsOf } from './range.ts';
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

/** Sums of the positions of one slot that were, or were not, inside a transport. */
type SlotSums = {
  highest: number | null;
  highestAt: number | null;
  kmhMs: number;
  underWayMs: number;
  readonly slot: number;
  readonly isCarried: boolean;
};

const COLUMNS = [columnForFigures('LATITUDE'), columnForFigures('Speed')];

/**
 * Returns how fast a machine went in a range, forward or backward, from every valid position with a speed. A speed is valid until the next
 * such position, for at most 5 minutes. A machine is carried at the positions inside a transport.
 * @param seen the machine's history, limited to the times whose positions the caller may see
 * @param range at most MAX_ROUTE_SPEEDS_DAYS long
 */
export async function routeSpeeds(db: Database, seen: OwnHistory, range: Range): Promise<RouteSpeeds> {
  const [transports = []] = await readTransports(db, [seen], range);
  const slotMs = Math.max(1_000, Math.ceil((range.to - range.from) / SLOTS));
  const sums = new Map<string, SlotSums>();
  const sumsAt = (time: number): SlotSums => {
    const slot = Math.floor((time - range.from) / slotMs);
    const isCarried = transports.some(({ from, to }) => from <= time && time <= to);
    const key = `${slot} ${isCarried}`;
    const found = sums.get(key) ?? {
      slot,
      isCarried,
      highest: null,
      highestAt: null,
      kmhMs: 0,
      underWayMs: 0,
    };
    sums.set(key, found);
    return found;
  };
  for (const segment of ownedSegmentsOf(range, seen.own)) {
    let last: { readonly time: number; readonly kmh: number; readonly of: SlotSums } | undefined;
    for await (const { times, values } of readColumnPages(db, seen.streamId, [segment], COLUMNS)) {
      for (const [n, time] of times.entries()) {
        const [lat, speed] = values.map((column) => column[n] as number);
        if (lat === undefined || speed === undefined || Number.isNaN(lat) || Number.isNaN(speed)) continue;
        if (last && last.kmh >= UNDER_WAY_KMH) {
          const ms = Math.min(time - last.time, MAX_GAP_MS);
          last.of.kmhMs += last.kmh * ms;
          last.of.underWayMs += ms;
        }
        const [kmh, of] = [Math.abs(speed), sumsAt(time)];
        if (of.highest === null || kmh > of.highest) Object.assign(of, { highest: kmh, highestAt: time });
        last = { time, kmh, of };
      }
    }
  }
  const all = [...sums.values()];
  const bySlot = Map.groupBy(all, ({ slot }) => slot);
  return {
    driven: combineSpeedSums(all.filter(({ isCarried }) => !isCarried)),
    carried: combineSpeedSums(all.filter(({ isCarried }) => isCarried)),
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
