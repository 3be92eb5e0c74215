import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { readStreamColumns } from '#server/telemetry/readings/read-columns.ts';

/** By stream, the times in seconds since 1970 of every reading whose upload was answered with 200. */
export type AcknowledgedTimes = ReadonlyMap<number, readonly number[]>;

/** Counts of inconsistencies; all are 0 when no data was lost. */
export type DataLoss = {
  /** Number of acknowledged readings that are not stored. */
  readonly missing: number;
  /** Number of streams whose row in `latest` is not that of their newest reading. */
  readonly behind: number;
  /** Number of streams whose totals do not match their stored readings. */
  readonly miscounted: number;
};

export const NO_LOSS: DataLoss = { missing: 0, behind: 0, miscounted: 0 };

export async function countLoss(db: Database, acknowledged: AcknowledgedTimes): Promise<DataLoss> {
  const states = await runInShardsOfStreams(db, acknowledged.keys(), (shard, own) =>
    shard.query<{ streamId: number; newest: Date | null; count: number }>(
      `select stream_id as "streamId", time as newest, total_count::float8 as count from telemetry.latest where stream_id = any ($1)`,
      [own],
    ),
  );
  const stateOf = new Map(states.map((state) => [state.streamId, state]));
  let { missing, behind, miscounted } = NO_LOSS;
  const ever = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const ranges = [...acknowledged.keys()].map((streamId) => ({ streamId, ...ever }));
  const readings = await readStreamColumns(db, ranges, []);
  for (const [n, [streamId, seconds]] of [...acknowledged].entries()) {
    const times = readings[n]?.times ?? new Float64Array();
    const stored = new Set(times);
    const state = stateOf.get(streamId);
    missing += seconds.filter((second) => !stored.has(second * 1000)).length;
    if (state?.newest?.getTime() !== times.at(-1)) behind += 1;
    if ((state?.count ?? 0) !== times.length) miscounted += 1;
  }
  return { missing, behind, miscounted };
}
