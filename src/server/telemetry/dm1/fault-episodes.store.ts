import type { Shard } from '#server/platform/shards.ts';
import type { FaultEpisode } from '#shared/domain/fault-codes.ts';
import { DAY_MS, type Dm1DayKey } from './dm1-days.ts';
import { type Dm1DaySummary, faultEpisodesOf } from './episodes.ts';

/** SQL for the columns of a fault episode, a row `f`; times in ms. */
export const EPISODE_COLUMNS_SQL = `f.bus, f.source, f.spn, f.fmi, f.is_old_layout, ${ms('f.since')} as since,
  ${ms('f.last_seen')} as last_seen, ${ms('f.over_at')} as over, f.lamp, f.occurrences`;
function ms(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`;
}

/** Recomputes the episodes of an ECU from a day on. The caller has locked the stream. */
export async function recomputeEpisodes(
  shard: Shard,
  streamId: number,
  { bus, source, day }: Dm1DayKey,
): Promise<void> {
  const from = await firstDay(shard, streamId, { bus, source, day });
  const { rows: days } = await shard.query<{ digest: Dm1DaySummary }>(
    'select digest from telemetry.dm1_day where stream_id = $1 and bus = $2 and source = $3 and day >= $4 order by day',
    [streamId, bus, source, from],
  );
  const episodes = faultEpisodesOf(days.map(({ digest }) => digest)).map((one) => ({ ...one, bus, source }));
  const { rows: stored } = await shard.query<FaultEpisode>(
    `select ${EPISODE_COLUMNS_SQL} from telemetry.fault_episode f
     where f.stream_id = $1 and f.bus = $2 and f.source = $3 and f.since >= $4`,
    [streamId, bus, source, new Date(from * DAY_MS)],
  );
  const known = new Set(stored.map(textOf));
  const wanted = new Set(episodes.map(textOf));
  const gone = stored.filter((one) => !wanted.has(textOf(one)));
  if (gone.length > 0)
    await shard.query(
      `delete from telemetry.fault_episode f using unnest($4::timestamptz[], $5::int[], $6::int[], $7::boolean[]) as g (since, spn, fmi, is_old)
       where f.stream_id = $1 and f.bus = $2 and f.source = $3 and f.since = g.since and f.spn = g.spn and f.fmi = g.fmi
         and f.is_old_layout = g.is_old`,
      [streamId, bus, source, ...keysOf(gone)],
    );
  const added = episodes.filter((one) => !known.has(textOf(one)));
  if (added.length > 0)
    await shard.query(
      `insert into telemetry.fault_episode (stream_id, bus, source, since, spn, fmi, is_old_layout, last_seen, over_at, lamp, occurrences)
       select $1, $2, $3, * from unnest($4::timestamptz[], $5::int[], $6::int[], $7::boolean[], $8::timestamptz[], $9::timestamptz[],
         $10::text[], $11::int[])`,
      [
        streamId,
        bus,
        source,
        ...keysOf(added),
        added.map(({ lastSeen }) => new Date(lastSeen)),
        added.map(({ over }) => over && new Date(over)),
        added.map(({ lamp }) => lamp),
        added.map(({ occurrences }) => occurrences),
      ],
    );
}

const textOf = (one: FaultEpisode): string =>
  [one.since, one.spn, one.fmi, one.isOldLayout, one.lastSeen, one.over, one.lamp, one.occurrences].join();

const keysOf = (episodes: readonly FaultEpisode[]) => [
  episodes.map(({ since }) => new Date(since)),
  episodes.map(({ spn }) => spn),
  episodes.map(({ fmi }) => fmi),
  episodes.map(({ isOldLayout }) => isOldLayout),
];

/**
 * Returns the last day, not after `day`, at whose beginning no episode was active. Changes from `day` on do not affect
 * earlier episodes.
 */
async function firstDay(shard: Shard, streamId: number, { bus, source, day }: Dm1DayKey): Promise<number> {
  let first = day;
  for (;;) {
    const { rows } = await shard.query<{ since: number | null }>(
      `select ${ms('min(since)')} as since from telemetry.fault_episode
       where stream_id = $1 and bus = $2 and source = $3 and since < $4 and (over_at is null or over_at >= $4)`,
      [streamId, bus, source, new Date(first * DAY_MS)],
    );
    const since = rows[0]?.since;
    if (since == null) return first;
    first = Math.floor(since / DAY_MS);
  }
}
