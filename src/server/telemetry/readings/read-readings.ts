import type { Database } from '#server/platform/database.ts';
import { type Reading, SIGNALS } from '#shared/domain/signal.ts';
import type { StreamRange } from './columns.ts';
import { iterateReadings } from './signal-columns.ts';
import { readWholeReadings } from './whole-readings.ts';

/**
 * Returns the readings of each range, in chronological order, including readings without any wanted signal.
 * @param wantedSignals names of signals, each with a column that no other name uses; or a condition on the name; undefined: all
 * signals
 */
export async function readReadingsInRanges(
  db: Database,
  ranges: readonly StreamRange[],
  wantedSignals?: readonly string[] | ((signal: string) => boolean),
): Promise<Reading[][]> {
  if (ranges.length === 0) return [];
  const isInColumns = typeof wantedSignals === 'object';
  const counts = isInColumns
    ? (name: string) => wantedSignals.includes(name)
    : (wantedSignals ?? (() => true));
  const wanted = SIGNALS.filter(({ name }) => counts(name));
  const found = await readWholeReadings(db, ranges, wanted, isInColumns ? null : counts);
  return found.map((whole) => iterateReadings(whole, wanted, counts));
}

/**
 * Returns the readings of each stream after a time (ms), in chronological order, by stream.
 * @param counts condition on a signal's name, like `wantedSignals` of readReadingsInRanges
 */
export async function readReadingsAfter(
  db: Database,
  after: readonly { readonly streamId: number; readonly time: number }[],
  counts: (signal: string) => boolean,
): Promise<Map<number, Reading[]>> {
  const ranges = after.map(({ streamId, time }) => ({ streamId, from: time + 1, to: Infinity }));
  const readings = await readReadingsInRanges(db, ranges, counts);
  return new Map(after.map(({ streamId }, n) => [streamId, readings[n] ?? []]));
}
