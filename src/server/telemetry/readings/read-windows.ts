import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  type ColumnArraysRow,
  columnArraysSql,
  columnForFigures,
  columnSelectionSql,
  concatenateReadings,
  decodeColumnArrays,
  mergeReadings,
  type ReadingColumn,
  type ReadingColumns,
  timeParameter,
} from './columns.ts';
import { sampledColumns } from './file-columns.ts';
import { numberedSelectItemsSql, readStreamColumns } from './read-columns.ts';
import { fileOverlapsSlot, firstRowTime, rangeOfSlots } from './read-samples.ts';
import { findFiles } from './reading-files.store.ts';
import { firstIndexesOfWindows, pickValues } from './sampled-readings.ts';

/** Number of windows (ranges of 30 s, see sampled-readings.ts) that one statement reads. */
const WINDOWS = 500;

/**
 * Reads, for each window and each of the first `needed` columns, the first reading with a value in that column; in order of time.
 * @param windows result of `windowsOfSlots`
 * @param names of known signals
 */
export async function readWindows(
  db: Database,
  streamId: number,
  windows: readonly Range[],
  names: readonly string[],
  needed = names.length,
): Promise<ReadingColumns> {
  const columns = names.map(columnForFigures);
  const firstIn = (readings: ReadingColumns, some: readonly Range[]) => firstOf(readings, some, needed);
  const span = rangeOfSlots(streamId, windows);
  if (!span) return concatenateReadings([], columns.length);
  // Reads rows before files, so that readings that move into a file meanwhile are not missed. Windows before the first row need no
  // look-ups in rows: the readings of closed weeks are in files only.
  const firstRow = await firstRowTime(db, span);
  const withRows = await findWindowsWithRows(
    db,
    streamId,
    windows.filter(({ to }) => to > firstRow),
  );
  const rowWindows = windows.filter(({ from }) => withRows.has(from));
  const rows = await readRowWindows(db, streamId, rowWindows, columns, needed);
  const files = await findFiles(db, [span], []);
  if (files.length === 0) return rows;
  const isInFile = (window: Range): boolean => files.some((file) => fileOverlapsSlot(file, window));
  // In these windows a row can replace the reading of a file, so that the file's sampled readings are not enough.
  const mixed = rowWindows.filter(isInFile);
  const all = await readStreamColumns(
    db,
    mixed.map((window) => ({ streamId, ...window })),
    columns,
  );
  const ofMixed = firstIn(concatenateReadings(all, columns.length), mixed);
  const ofRows = firstIn(
    rows,
    rowWindows.filter((window) => !isInFile(window)),
  );
  const inFiles = windows.filter(({ from }) => !withRows.has(from));
  const parts: ReadingColumns[] = [];
  for await (const part of sampledColumns(db, span, columns)) parts.push(firstIn(part, inFiles));
  const ofFiles = firstIn(concatenateReadings(parts, columns.length), inFiles);
  return mergeReadings(ofFiles, mergeReadings(ofMixed, ofRows, columns.length), columns.length);
}

/** Returns the starts of the windows in which a stream has rows. */
async function findWindowsWithRows(
  db: Database,
  streamId: number,
  windows: readonly Range[],
): Promise<ReadonlySet<number>> {
  if (windows.length === 0) return new Set();
  const { rows } = await shardForStream(db, streamId).query<{ n: number }>(
    `select n::integer from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as w (since, until, n)
     where exists (select from telemetry.reading where stream_id = $1 and time >= w.since and time < w.until)`,
    [streamId, windows.map(({ from }) => timeParameter(from)), windows.map(({ to }) => timeParameter(to))],
  );
  return new Set(rows.map(({ n }) => (windows[n - 1] as Range).from));
}

async function readRowWindows(
  db: Database,
  streamId: number,
  windows: readonly Range[],
  columns: readonly ReadingColumn[],
  needed: number,
): Promise<ReadingColumns> {
  const { items, names } = columnSelectionSql(columns, 3);
  // A look-up per column ends at the column's first value; reading whole windows would read a hundred times as many rows.
  const firsts = items.slice(0, needed).map(
    (item) =>
      `(select r.* from telemetry.reading r where r.stream_id = $1 and r.time >= w.since and r.time < w.until and ${item} is not null
         order by r.time limit 1)`,
  );
  const text = `select ${columnArraysSql(items.length)} from (
      select distinct on (r.time) r.time${numberedSelectItemsSql(items)}
      from unnest($2::timestamptz[], $3::timestamptz[]) as w (since, until), lateral (${firsts.join(' union all ')}) as r
      order by r.time
    ) as r`;
  const found: ReadingColumns[] = [];
  for (let n = 0; n < windows.length; n += WINDOWS) {
    const part = windows.slice(n, n + WINDOWS);
    const { rows } = await shardForStream(db, streamId).query<ColumnArraysRow>(text, [
      streamId,
      part.map(({ from }) => timeParameter(from)),
      part.map(({ to }) => timeParameter(to)),
      ...names,
    ]);
    found.push(decodeColumnArrays(rows[0] ?? {}, items.length));
  }
  return concatenateReadings(found, items.length);
}

/** Returns, for each window and each of the first `needed` columns, the first reading with a value. @param windows in order */
function firstOf(
  { times, values }: ReadingColumns,
  windows: readonly Range[],
  needed: number,
): ReadingColumns {
  const kept: number[] = [];
  let at = 0;
  for (const n of firstIndexesOfWindows(times, values.slice(0, needed))) {
    const time = times[n] as number;
    while (at < windows.length && (windows[at] as Range).to <= time) at += 1;
    if (at < windows.length && (windows[at] as Range).from <= time) kept.push(n);
  }
  return { times: pickValues(times, kept), values: values.map((column) => pickValues(column, kept)) };
}
