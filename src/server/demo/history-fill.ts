import type { Database, Pool } from '#server/platform/database.ts';
import { ofStreams } from '#server/platform/shards.ts';
import type { Partitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { FULL_BUCKETS_SQL, type HistoryPiece, type HistoryWindow, missingPieces } from './history-gaps.ts';

/** What each window lacks, in the order of the windows. */
export async function readMissing(
  db: Database,
  windows: readonly HistoryWindow[],
): Promise<readonly (readonly HistoryPiece[])[]> {
  const found = await ofStreams(db, windows, async (shard, own) => {
    const { rows } = await shard.query<{ n: number; full: number[] }>(FULL_BUCKETS_SQL, [
      own.map(({ streamId }) => streamId),
      own.map(({ from }) => new Date(from)),
      own.map(({ to }) => new Date(to)),
    ]);
    return { rows: rows.map(({ n, full }) => [own[n - 1] as HistoryWindow, new Set(full)] as const) };
  });
  const full = new Map(found);
  return windows.map((window) => missingPieces(window, full.get(window) ?? new Set()));
}

/**
 * Stores one piece, all or nothing, at whole steps, so that it comes out the same however often it is begun.
 * @param signalsAt the signals at an instant, ms
 * @returns how many readings were new
 */
export async function fillPiece(
  pool: Pool,
  partitions: Partitions,
  { streamId, stepMs }: HistoryWindow,
  { from, to }: HistoryPiece,
  signalsAt: (timeMs: number) => Signals,
): Promise<number> {
  const readings = [];
  for (let time = Math.ceil(from / stepMs) * stepMs; time < to; time += stepMs) {
    readings.push({ streamId, time, signals: signalsAt(time) });
  }
  await partitions.ensure([from, to - 1], undefined);
  const { inserted } = await storeReadings(pool, readings);
  return inserted;
}
