import type { Database } from '#server/platform/database.ts';
import { sent } from '#server/telemetry/readings/columns.ts';
import { columnPages } from '#server/telemetry/readings/read-columns.ts';
import type { Range } from '#shared/domain/intervals.ts';

/** The time of a reading in ms since 1970, and its value of each signal. */
export type Values = [time: number, ...(number | null)[]];

/**
 * Yields the values of signals of stored readings in order of time, some hundreds of readings at a time.
 * @param names of the catalogue, or own ones
 * @param needed a reading must have one of the first `needed` names
 */
export async function* storedValues(
  db: Database,
  streamId: number,
  ranges: readonly Range[],
  names: readonly string[],
  needed = names.length,
): AsyncGenerator<Values[], void> {
  for await (const { times, values } of columnPages(db, streamId, ranges, names.map(sent))) {
    const page: Values[] = [];
    for (const [n, time] of times.entries()) {
      let hasNeeded = false;
      const row: Values = [time];
      for (const [column, ofColumn] of values.entries()) {
        const value = ofColumn[n] as number;
        const isMissing = Number.isNaN(value);
        if (!isMissing && column < needed) hasNeeded = true;
        row.push(isMissing ? null : value);
      }
      if (hasNeeded) page.push(row);
    }
    yield page;
  }
}
