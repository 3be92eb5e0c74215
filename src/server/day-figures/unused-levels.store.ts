import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import { countUnusedValues } from '#server/telemetry/readings/unused-values.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { UNUSED_LATITUDE, UNUSED_LONGITUDE } from '#shared/domain/unused-names.ts';
import { intersection } from './range-figures.ts';

/**
 * Returns how many charge levels of 0 are left out of the figures (docs/figures.md section 1.8), in the part of a range in which the caller
 * owned the machine. They are counted from readings, so that a week whose readings were removed has none.
 */
export async function countUnusedLevels(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
): Promise<number> {
  const ranges = own.flatMap((one) => intersection(one, range));
  return countUnusedValues(db, streamId, ranges, [UNUSED_LATITUDE, UNUSED_LONGITUDE]);
}
