import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '#server/platform/database.ts';
import { knownSignal } from '#shared/domain/signal.ts';
import {
  concatenateReadings,
  isSharedColumn,
  type ReadingColumn,
  type ReadingColumns,
  type StreamRange,
} from './columns.ts';
import { columnWithoutValues, sliceFileReadings } from './file-readings.ts';
import { customSignalColumnName, type FileReadings, TIME_COLUMN } from './parquet-file.ts';
import {
  ALL_TIME,
  decodeReadingFile,
  findFiles,
  findSampledFiles,
  firstIndexAt,
  type RangeEnd,
  type ReadingFile,
} from './reading-files.store.ts';
import { WEEK_MS } from './weeks.ts';

/** Returns the names under which files contain these columns. */
const namesOf = (columns: readonly ReadingColumn[]): string[] => [
  ...new Set([TIME_COLUMN, ...columns.flatMap((column) => sourcesOf(column))]),
];

/**
 * Returns the one or two names under which a file may contain a column. If the file contains both, the values under the second name
 * are used for readings without a value under the first name.
 */
function sourcesOf(column: ReadingColumn): readonly string[] {
  const { name } = column;
  if (!knownSignal(name)) return [customSignalColumnName(name)];
  return isSharedColumn(column) ? [customSignalColumnName(name), name] : [name];
}

/** Returns the requested columns from the readings of one file. */
function columnsOf(
  { times, columns: found }: FileReadings,
  columns: readonly ReadingColumn[],
): ReadingColumns {
  const none = columnWithoutValues(times.length);
  return {
    times,
    values: columns.map((column) => {
      const [first = none, second] = sourcesOf(column)
        .map((name) => found.get(name))
        .filter((values) => values !== undefined);
      return second ? first.map((value, n) => (Number.isNaN(value) ? (second[n] as number) : value)) : first;
    }),
  };
}

/**
 * Returns columns of the readings in files, for each range; undefined when no file has readings there.
 * @param few reads only some readings at one end of each file; allowed for a single range only
 */
export async function readFileColumns(
  db: Database,
  ranges: readonly StreamRange[],
  columns: readonly ReadingColumn[],
  few?: RangeEnd,
): Promise<(ReadingColumns | undefined)[]> {
  const files = await findFiles(db, ranges, namesOf(columns));
  return decodeFilesInRanges(
    files,
    ranges,
    (readings) => columnsOf(readings, columns),
    (parts) => concatenateReadings(parts, columns.length),
    few,
  );
}

/** Number of weeks whose sampled columns one statement reads: some megabytes for a machine at 10 Hz. */
const WEEKS = 4;

/**
 * Yields columns of the sampled readings of the files of a range, file by file. A file without sampled readings gives all its
 * readings.
 * @param columns of known signals
 */
export async function* sampledColumns(
  db: Database,
  { streamId, from, to }: StreamRange,
  columns: readonly ReadingColumn[],
): AsyncGenerator<ReadingColumns, void> {
  for (let start = from; start < to; start += WEEKS * WEEK_MS) {
    const part = { streamId, from: start, to: Math.min(to, start + WEEKS * WEEK_MS) };
    for (const file of await findSampledFiles(db, part, namesOf(columns))) {
      // A file that overlaps two of these parts of the range is read with the first one.
      if (file.from < start && start > from) continue;
      if (file.readings > 0) yield columnsOf(await decodeReadingFile(file, ALL_TIME), columns);
      else {
        const [all] = await readFileColumns(db, [{ streamId, from: file.from, to: file.to + 1 }], columns);
        if (all) yield all;
      }
      await nextTurn();
    }
  }
}

/**
 * Decodes files once for all ranges.
 * @param convert converts the readings of one file
 * @param join joins the results of consecutive files
 * @param few reads only some readings at one end of each file
 */
export async function decodeFilesInRanges<Made>(
  files: readonly ReadingFile[],
  ranges: readonly StreamRange[],
  convert: (readings: FileReadings) => Made,
  join: (parts: readonly Made[]) => Made,
  few?: RangeEnd,
): Promise<(Made | undefined)[]> {
  if (files.length === 0) return ranges.map(() => undefined);
  const parts: Made[][] = ranges.map(() => []);
  const byStream = Map.groupBy(ranges.keys(), (n) => ranges[n]?.streamId);
  for (const file of files) {
    const asked = (byStream.get(file.streamId) ?? []).filter((n) => {
      const { from, to } = ranges[n] as StreamRange;
      return from <= file.to && to > file.from;
    });
    const from = Math.min(...asked.map((n) => (ranges[n] as StreamRange).from));
    const to = Math.max(...asked.map((n) => (ranges[n] as StreamRange).to));
    const readings = await decodeReadingFile(file, { from, to }, few);
    for (const n of asked) {
      const { from, to } = ranges[n] as StreamRange;
      const part = sliceFileReadings(
        readings,
        firstIndexAt(readings.times, from),
        firstIndexAt(readings.times, to),
      );
      if (part.times.length > 0) parts[n]?.push(convert(part));
    }
    await nextTurn();
  }
  return parts.map((made) => (made.length === 0 ? undefined : join(made)));
}
