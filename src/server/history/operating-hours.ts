import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { rangeSums } from './range-sums.ts';

const MS_PER_HOUR = 3_600_000;

/**
 * Returns the operating hours: 'Urenstand bij aanvang' and the running hours of all readings ever received (MDET-08). Like the meter in the
 * cab, they belong to the machine: the present owner sees all of them, and how many are from its ownership. `ownHours` is undefined when
 * all hours are from its ownership.
 */
export async function operatingHours(
  db: Database,
  history: OwnHistory,
  now: number,
): Promise<{ hours: number; ownHours?: number }> {
  const { streamId, own } = history;
  const wasAlwaysOwn = own.length === 1 && own[0]?.from === Number.NEGATIVE_INFINITY;
  const [machine, stored, sums] = await Promise.all([
    db.query<{ hours: number }>('select initial_hours as hours from machine where stream_id = $1', [
      streamId,
    ]),
    shardForStream(db, streamId).query<{ ms: number }>(
      `select total_running_ms::float8 as ms from telemetry.latest where stream_id = $1`,
      [streamId],
    ),
    wasAlwaysOwn ? undefined : rangeSums(db, history, { from: 0, to: now }, ['runningMs']),
  ]);
  return {
    hours: (machine.rows[0]?.hours ?? 0) + (stored.rows[0]?.ms ?? 0) / MS_PER_HOUR,
    ...(sums && { ownHours: sums.runningMs / MS_PER_HOUR }),
  };
}
