import type { Database } from '#server/platform/database.ts';
import { runInShardsOfStreams, shardForStream } from '#server/platform/shards.ts';
import type { Contradiction } from '#shared/domain/signal-contradiction.ts';

/**
 * Returns, by stream, the signal that seems wrong: in the last comparison the charge level and the counted energy did not agree.
 * @param streams the streams, each with `ownedSince` in ms; earlier comparisons used another owner's readings and are left out
 */
export async function readContradictions(
  db: Database,
  streams: readonly { readonly streamId: number; readonly ownedSince: number }[],
): Promise<ReadonlyMap<number, Contradiction>> {
  const rows = await runInShardsOfStreams(db, streams, (shard, own) =>
    shard.query<{ id: number; compared: number | null; contradiction: Contradiction }>(
      `select stream_id as id, date_part('epoch', compared_at) * 1000 as compared, contradiction from telemetry.day_cursor
       where stream_id = any ($1::int[]) and contradiction is not null`,
      [own.map(({ streamId }) => streamId)],
    ),
  );
  const since = new Map(streams.map(({ streamId, ownedSince }) => [streamId, ownedSince]));
  return new Map(
    rows.flatMap(({ id, compared, contradiction }) =>
      (compared ?? 0) >= (since.get(id) ?? Number.POSITIVE_INFINITY) ? [[id, contradiction]] : [],
    ),
  );
}

/**
 * Clears the contradiction of a stream after its definition changed. Readings by the earlier definition say nothing about the new one, and
 * a person who saw their contradiction would correct the signal a second time.
 */
export async function clearContradiction(db: Database, streamId: number): Promise<void> {
  await shardForStream(db, streamId).query(
    `update telemetry.day_cursor set contradiction = null, compare_from = now() where stream_id = $1 and contradiction is not null`,
    [streamId],
  );
}
