import type { Database, Pool } from '#server/platform/database.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import type { Partitions } from '#server/telemetry/partitions.ts';
import { storeReadings } from '#server/telemetry/readings.store.ts';
import type { Signals } from '#shared/domain/signal.ts';
import { FULL_BUCKETS_SQL, type HistoryStep, type HistoryWindow, missingSteps } from './history-gaps.ts';

/** Returns the streams to which the loggers with these serial numbers are bound now. */
export async function readBoundStreams(
  db: Database,
  loggerSerials: readonly string[],
): Promise<{ streamId: number; loggerSerial: string }[]> {
  const { rows } = await db.query<{ streamId: number; loggerSerial: string }>(
    `select stream_id, logger_serial from writer where logger_serial = any ($1) and valid_to = 'infinity'`,
    [loggerSerials],
  );
  return rows;
}

/** Returns, for each window (the time range that should have a history), the steps that fill its gaps; in the order of `windows`. */
export async function readMissingSteps(
  db: Database,
  windows: readonly HistoryWindow[],
): Promise<readonly (readonly HistoryStep[])[]> {
  const found = await runInShardsOfStreams(db, windows, async (shard, own) => {
    const { rows } = await shard.query<{ n: number; full: number[] }>(FULL_BUCKETS_SQL, [
      own.map(({ streamId }) => streamId),
      own.map(({ from }) => new Date(from)),
      own.map(({ to }) => new Date(to)),
    ]);
    return { rows: rows.map(({ n, full }) => [own[n - 1] as HistoryWindow, new Set(full)] as const) };
  });
  const full = new Map(found);
  return windows.map((window) => missingSteps(window, full.get(window) ?? new Set()));
}

/**
 * Stores the readings of one step in one transaction, at fixed instants, so that a repeated step stores the same readings.
 * @param signalsAt returns the signals at an instant in ms
 * @returns the number of new readings
 */
export async function fillHistoryStep(
  pool: Pool,
  partitions: Partitions,
  { streamId, intervalMs }: HistoryWindow,
  { from, to }: HistoryStep,
  signalsAt: (timeMs: number) => Signals,
): Promise<number> {
  const readings = [];
  for (let time = Math.ceil(from / intervalMs) * intervalMs; time < to; time += intervalMs) {
    readings.push({ streamId, time, signals: signalsAt(time) });
  }
  await partitions.ensure([from, to - 1], undefined);
  const { inserted } = await storeReadings(pool, readings);
  return inserted;
}
