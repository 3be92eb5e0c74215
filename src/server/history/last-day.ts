import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { readEdgeReading } from '#server/telemetry/readings/read-edges.ts';
import { amsterdamDay } from '#shared/domain/amsterdam-time.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { ownedSegmentsOf } from './range.ts';

/**
 * Returns the last day with a reading before the end of the range, in the times in which the caller owned the stream; null if there is
 * none.
 */
export async function lastDay(
  db: Database,
  { streamId, own }: OwnHistory,
  { from, to }: Range,
): Promise<string | null> {
  // The range is queried first: when it contains a reading, only its partitions are opened.
  for (const range of [
    { from, to },
    { from: 0, to: from },
  ]) {
    for (const segment of ownedSegmentsOf(range, own).reverse()) {
      const last = await readEdgeReading(db, { streamId, from: segment.from, to: segment.to }, [], {
        end: 'last',
      });
      if (last) return amsterdamDay(last.time);
    }
  }
  return null;
}
