import type { Database } from '#server/platform/database.ts';
import { instantParameter } from '#server/platform/instant.ts';
import { runInShardsOfStreams, shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { EPISODE_COLUMNS_SQL } from '#server/telemetry/dm1/fault-episodes.store.ts';
import type { FaultEpisode } from '#shared/domain/fault-codes.ts';
import type { Range } from '#shared/domain/intervals.ts';

/**
 * SQL `from` item: the fault episodes of streams $1 inside the time ranges $2 to $3, cut to these; an episode in two ranges gives two rows.
 * `n`: number of the range, from 1.
 */
const OWN_EPISODES = `(
  select own.n, e.bus, e.source, e.spn, e.fmi, e.is_old_layout, greatest(e.since, own."from") as since,
    least(e.last_seen, own."to") as last_seen, case when e.over_at < own."to" then e.over_at end as over_at, e.lamp, e.occurrences
  from unnest($1::integer[], $2::timestamptz[], $3::timestamptz[]) with ordinality as own (id, "from", "to", n)
    join telemetry.fault_episode e on e.stream_id = own.id
      and /*rule:fault-codes-own-time*/ e.since < own."to" and e.last_seen >= own."from" /*=true*/
) as f`;

/**
 * Returns the episodes of a stream that were seen or ended in a range, first the active ones, then the newest; and their number.
 * @param range half-open, ms
 */
export async function readFaults(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  most: number,
): Promise<{ readonly faults: readonly FaultEpisode[]; readonly total: number }> {
  const { rows } = await shardForStream(db, streamId).query<FaultEpisode & { total: number }>(
    `select ${EPISODE_COLUMNS_SQL}, (count(*) over ())::integer as total from ${OWN_EPISODES}
     where f.since < $5 and (f.last_seen >= $4 or f.over_at > $4)
     order by f.over_at is not null, f.since desc, f.bus, f.source, f.spn, f.fmi limit $6`,
    [
      ...timesOf(own.map((time) => ({ streamId, ...time }))),
      instantParameter(range.from),
      instantParameter(range.to),
      most,
    ],
  );
  return { faults: rows.map(({ total: _, ...fault }) => fault), total: rows[0]?.total ?? 0 };
}

/** Returns the episodes of several machines, each in the times in which the caller owned the machine, in order of time. */
export async function readFaultsOf(
  db: Database,
  machines: readonly OwnHistory[],
): Promise<readonly (readonly FaultEpisode[])[]> {
  const times = machines.flatMap(({ streamId, own }, n) => own.map((time) => ({ streamId, ...time, n })));
  const rows = await runInShardsOfStreams(db, times, async (shard, its) => {
    const found = await shard.query<FaultEpisode & { n: number }>(
      `select f.n::integer as n, ${EPISODE_COLUMNS_SQL} from ${OWN_EPISODES} order by f.since, f.bus, f.source, f.spn, f.fmi`,
      timesOf(its),
    );
    return { rows: found.rows.map((row) => ({ ...row, n: its[row.n - 1]?.n ?? 0 })) };
  });
  const byMachine = Map.groupBy(rows, ({ n }) => n);
  return machines.map((_, n) => (byMachine.get(n) ?? []).map(({ n: __, ...fault }) => fault));
}

/** Returns whether ECUs of the machine sent DM1 while it belonged to the caller. */
export async function hasDm1(db: Database, { streamId, own }: OwnHistory): Promise<boolean> {
  const { rows } = await shardForStream(db, streamId).query<{ has: boolean }>(
    `select exists (select from telemetry.dm1_day d join unnest($2::timestamptz[], $3::timestamptz[]) as own ("from", "to")
       on to_timestamp((d.day + 1) * 86400) > own."from" and to_timestamp(d.day * 86400) < own."to"
     where d.stream_id = $1) as has`,
    [streamId, own.map(({ from }) => instantParameter(from)), own.map(({ to }) => instantParameter(to))],
  );
  return rows[0]?.has ?? false;
}

/** A machine, and the start of its present ownership (ms). */
type Owned = { readonly streamId: number; readonly ownedSince: number };

/**
 * Returns by stream the active fault codes of each machine, and those that ended after `since` (ms), as the present owner sees
 * them. Leaves out machines without fault codes.
 */
export async function readActiveFaults(
  db: Database,
  machines: readonly Owned[],
  since: number,
): Promise<ReadonlyMap<number, readonly FaultEpisode[]>> {
  const rows = await runInShardsOfStreams(db, machines, (shard, own) =>
    shard.query<FaultEpisode & { streamId: number }>(
      `select f.stream_id, ${EPISODE_COLUMNS_SQL}
       from unnest($1::integer[], $2::timestamptz[]) as own (id, since) join (
         select stream_id, bus, source, spn, fmi, is_old_layout, since, last_seen, over_at, lamp, occurrences
         from telemetry.fault_episode where over_at is null
         union all
         select stream_id, bus, source, spn, fmi, is_old_layout, since, last_seen, over_at, lamp, occurrences
         from telemetry.fault_episode where over_at > $3
       ) as f on f.stream_id = own.id and f.last_seen >= own.since`,
      [
        own.map(({ streamId }) => streamId),
        own.map(({ ownedSince }) => instantParameter(ownedSince)),
        instantParameter(since),
      ],
    ),
  );
  const ownedSince = new Map(machines.map((machine) => [machine.streamId, machine.ownedSince]));
  const cut = rows.map(({ streamId, ...fault }) => ({
    streamId,
    ...fault,
    since: Math.max(fault.since, ownedSince.get(streamId) ?? fault.since),
  }));
  return Map.groupBy(cut, ({ streamId }) => streamId);
}

const timesOf = (times: readonly (Range & { readonly streamId: number })[]) => [
  times.map(({ streamId }) => streamId),
  times.map(({ from }) => instantParameter(from)),
  times.map(({ to }) => instantParameter(to)),
];
