import type { Database } from '#server/platform/database.ts';
import { ofStreams } from '#server/platform/shards.ts';

/** By stream, the times in seconds since 1970 of every reading whose upload was answered with 200. */
export type Acknowledged = ReadonlyMap<number, readonly number[]>;

/** Counts of inconsistencies; all are 0 when no data was lost. */
export type Loss = {
  /** Number of acknowledged readings that are not stored. */
  readonly missing: number;
  /** Number of streams whose row in `latest` is not that of their newest reading. */
  readonly behind: number;
  /** Number of streams whose totals do not match their stored readings. */
  readonly miscounted: number;
};

export const NO_LOSS: Loss = { missing: 0, behind: 0, miscounted: 0 };

export async function lossOf(db: Database, acknowledged: Acknowledged): Promise<Loss> {
  const instants = [...acknowledged].flatMap(([stream, seconds]) =>
    seconds.map((second) => [stream, second] as const),
  );
  const ofShards = await ofStreams(db, acknowledged.keys(), (shard, own) => {
    const streams = new Set(own);
    const theirs = instants.filter(([stream]) => streams.has(stream));
    return shard.query<Loss>(
      `select (
           select count(*)::int from unnest($1::int[], $2::bigint[]) as a (stream_id, second)
           where not exists (select from telemetry.reading r where r.stream_id = a.stream_id and r.time = to_timestamp(a.second))
         ) as missing,
         count(*) filter (where l.time is distinct from s.newest)::int as behind,
         count(*) filter (where l.total_count <> s.stored)::int as miscounted
       from unnest($3::int[]) as a (stream_id) join telemetry.latest l using (stream_id),
         lateral (select max(time) as newest, count(*) as stored from telemetry.reading r where r.stream_id = a.stream_id) as s`,
      [theirs.map(([stream]) => stream), theirs.map(([, second]) => second), own],
    );
  });
  const sum = (name: keyof Loss): number => ofShards.reduce((all, one) => all + one[name], 0);
  return { missing: sum('missing'), behind: sum('behind'), miscounted: sum('miscounted') };
}
