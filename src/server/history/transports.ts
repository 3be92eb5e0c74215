import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { type PlaceNameLookup, readPlaceNames } from '#server/streams/place-names.ts';
import { maySeePositionAt, type OwnHistory } from '#server/streams/scope.ts';
import type { Transports } from '#shared/contract/history.ts';
import type { Scope } from '#shared/domain/access.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import {
  type CarriedBucket,
  joinCarriedBuckets,
  type Transport,
  transportOf,
} from '#shared/domain/transports.ts';
import { readPositions } from './bucket-slices.ts';
import { ownedSegmentsOf, splitSegment } from './range.ts';

/** Time before and after a range in which the beginning and end of a transport are searched. */
const MAX_TRANSPORT_MS = 48 * 3_600_000;

const MAX_SHOWN_ITEMS = 100;

/** Returns the newest transports of a machine that overlap a range, with the places that the scope may see. */
export async function readNewestTransports(
  db: Database,
  scope: Scope,
  history: OwnHistory,
  range: Range,
): Promise<Transports> {
  const [all = []] = await readTransports(db, [history], range);
  const newestFirst = all.toReversed();
  const nameOf = await readPlaceNames(db, scope, [history.streamId]);
  return {
    transports: newestFirst.slice(0, MAX_SHOWN_ITEMS).map((transport) => {
      const { from, to, distanceMm, begin, end, beginName, endName } = withVisiblePlaceNames(
        scope,
        history.streamId,
        transport,
        nameOf,
      );
      return {
        ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
        ...{ metres: distanceMm / 1000, begin, end, beginName, endName },
      };
    }),
    hasMore: newestFirst.length > MAX_SHOWN_ITEMS,
  };
}

/** A transport whose ends have names; null when unknown, or hidden from the scope. */
export type NamedTransport = Transport & {
  readonly beginName: string | null;
  readonly endName: string | null;
};

/** Removes the places that the scope may not see, and adds the names of the remaining places. */
export function withVisiblePlaceNames(
  scope: Scope,
  streamId: number,
  transport: Transport,
  nameOf: PlaceNameLookup,
): NamedTransport {
  const begin = maySeePositionAt(scope, transport.from) ? transport.begin : null;
  const end = maySeePositionAt(scope, transport.to) ? transport.end : null;
  return {
    ...transport,
    begin,
    end,
    beginName: begin && nameOf(streamId, begin, transport.from).name,
    endName: end && nameOf(streamId, end, transport.to).name,
  };
}

/**
 * Returns the transports of each machine that overlap a range, in chronological order, each within one interval of the
 * caller's ownership.
 * @param range half-open, ms
 */
export async function readTransports(
  db: Database,
  machines: readonly OwnHistory[],
  range: Range,
): Promise<readonly (readonly Transport[])[]> {
  const around = { from: range.from - MAX_TRANSPORT_MS, to: range.to + MAX_TRANSPORT_MS };
  const intervals = machines.flatMap(({ streamId, own }, machine) =>
    ownedSegmentsOf(around, own).flatMap((segment) => {
      const { whole } = splitSegment(segment);
      return whole ? [{ streamId, machine, ...whole }] : [];
    }),
  );
  const buckets = await runInShardsOfStreams(db, intervals, async (shard, its) => {
    const { rows } = await shard.query<CarriedBucket & { n: number }>(CARRIED, [
      its.map(({ streamId }) => streamId),
      its.map(({ from }) => new Date(from)),
      its.map(({ to }) => new Date(to)),
    ]);
    return { rows: rows.map(({ n, ...bucket }) => ({ bucket, interval: its[n - 1] })) };
  });
  const found = machines.map((): Transport[] => []);
  for (const [interval, its] of Map.groupBy(buckets, (one) => one.interval)) {
    if (!interval) continue;
    const { streamId, machine, from } = interval;
    const carried = joinCarriedBuckets(its.map(({ bucket }) => bucket)).filter(
      ({ first, last }) => first < range.to && last + BUCKET_MS > range.from,
    );
    const ends = carried.flatMap(({ first, last }) => [
      { from: Math.max(first - BUCKET_MS, from), to: first + BUCKET_MS },
      { from: Math.max(last, first + BUCKET_MS), to: last + BUCKET_MS },
    ]);
    const positions = await readPositions(
      db,
      streamId,
      ends.filter((end) => end.from < end.to),
    );
    found[machine]?.push(
      ...carried
        .map((one) => transportOf(one, positions))
        .filter((one) => one.from < range.to && one.to >= range.from),
    );
  }
  return found.map((transports) => transports.sort((a, b) => a.from - b.from));
}

/** Carried buckets of streams $1 from times $2 up to times $3, in order; `n`: 1-based index of the interval. */
const CARRIED = `
  select n::integer as n, date_part('epoch', bucket) * 1000 as start, carried_mm::float8 as carried_mm, exists (
      select from telemetry.rollup other where other.stream_id = found.stream_id
        and other.bucket > found.before and other.bucket < found.bucket and other.running_ms > 0
    ) as ran_before
  from (
    select own.n, r.stream_id, r.bucket, r.carried_mm, lag(r.bucket) over (partition by own.n order by r.bucket) as before
    from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) with ordinality as own (id, "from", "to", n)
      join telemetry.rollup r on r.stream_id = own.id and r.bucket >= own."from" and r.bucket < own."to" and r.carried_mm > 0
  ) as found
  order by n, bucket`;
