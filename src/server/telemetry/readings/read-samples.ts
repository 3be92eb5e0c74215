import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  type ColumnArraysRow,
  columnArraysSql,
  columnSelectionSql,
  concatenateReadings,
  decodeColumnArrays,
  mergeReadings,
  type ReadingColumn,
  type ReadingColumns,
  type StreamRange,
  timeParameter,
} from './columns.ts';
import { readFileColumns } from './file-columns.ts';
import { numberedSelectItemsSql, readRowColumns } from './read-columns.ts';
import { findFiles, type ReadingFile } from './reading-files.store.ts';

/**
 * Which readings of a slot (a time range) are read: the first `most`; with `needed`, only the first of these that has a value in
 * each of the first `needed` columns.
 */
export type SlotSampling = { readonly most: number; readonly needed?: number };

/** Number of slots that one statement reads. */
const SLOTS = 500;
/** Number of look-ups at the same time, each on its own connection. With two, look-ups take half the time if the database is idle. */
const AT_ONCE = 2;

/**
 * Reads columns of some readings of each slot, in order of time.
 * @param slots in order and disjoint
 */
export async function readSamples(
  db: Database,
  streamId: number,
  slots: readonly Range[],
  columns: readonly ReadingColumn[],
  sampling: SlotSampling,
): Promise<ReadingColumns> {
  const span = rangeOfSlots(streamId, slots);
  if (!span) return concatenateReadings([], columns.length);
  // Reads rows before files, so that readings that move into a file meanwhile are not missed. Slots before the first row need no
  // look-ups in rows: the readings of closed weeks are in files only.
  const firstRow = await firstRowTime(db, span);
  const rowSlots = slots.filter(({ to }) => to > firstRow);
  const rows = await readRowSamples(db, streamId, rowSlots, columns, sampling);
  const files = await findFiles(db, [span], []);
  if (files.length === 0) return rows;
  const { most, needed } = sampling;
  // A row can replace the reading of a file. In a slot with both, all of the first readings have to be compared.
  const isMixed = (slot: Range): boolean =>
    slot.to > firstRow && files.some((file) => fileOverlapsSlot(file, slot));
  const mixed = needed === undefined ? [] : slots.filter(isMixed);
  const ofMixed = mixed.length > 0 ? await readSamples(db, streamId, mixed, columns, { most }) : undefined;
  const others = needed === undefined ? slots : slots.filter((slot) => !isMixed(slot));
  const ofFiles = await readFileSamples(db, streamId, files, others, columns, sampling);
  const found = mergeReadings(ofFiles, samplesOf(rows, others, sampling), columns.length);
  return samplesOf(mergeReadings(ofMixed, found, columns.length), slots, sampling);
}

/** Returns the range from the first slot to the last one. @param slots in order */
export function rangeOfSlots(streamId: number, slots: readonly Range[]): StreamRange | undefined {
  const [first, last] = [slots[0], slots.at(-1)];
  return first && last && { streamId, from: first.from, to: last.to };
}

/** Returns the time (ms) of the first row of a range; Infinity when all its readings are in files. */
export async function firstRowTime(db: Database, range: StreamRange): Promise<number> {
  const [row] = await readRowColumns(db, [range], [], { end: 'first', count: 1 });
  return row?.times[0] ?? Number.POSITIVE_INFINITY;
}

export const fileOverlapsSlot = ({ from, to }: ReadingFile, slot: Range): boolean =>
  from < slot.to && to >= slot.from;

async function readRowSamples(
  db: Database,
  streamId: number,
  slots: readonly Range[],
  columns: readonly ReadingColumn[],
  { most, needed }: SlotSampling,
): Promise<ReadingColumns> {
  const { items, names } = columnSelectionSql(columns, 6);
  const inSlot =
    'select * from telemetry.reading where stream_id = $1 and time >= $2 and time < $3 and time >= slot.since and time < slot.until order by time limit $6';
  const isFound = items.slice(0, needed).map((item) => `${item} is not null`);
  const only = needed === undefined ? '' : `where ${isFound.join(' and ')} order by time limit 1`;
  const text = `select ${columnArraysSql(items.length)} from unnest($4::timestamptz[], $5::timestamptz[]) as slot (since, until), lateral (
      select time${numberedSelectItemsSql(items)} from (${inSlot}) as r ${only}
    ) as r`;
  const parts: Range[][] = [];
  for (let n = 0; n < slots.length; n += SLOTS) parts.push(slots.slice(n, n + SLOTS));
  const found: ReadingColumns[] = [];
  await eachAtOnce(parts, async (part, n) => {
    const { rows } = await shardForStream(db, streamId).query<ColumnArraysRow>(text, [
      streamId,
      timeParameter(part[0]?.from ?? 0),
      timeParameter(part.at(-1)?.to ?? 0),
      part.map(({ from }) => timeParameter(from)),
      part.map(({ to }) => timeParameter(to)),
      most,
      ...names,
    ]);
    found[n] = decodeColumnArrays(rows[0] ?? {}, items.length);
  });
  return concatenateReadings(found, items.length);
}

/** Reads the columns of one file at a time on each connection: all files of a month of a 10 Hz machine would take a gigabyte. */
async function readFileSamples(
  db: Database,
  streamId: number,
  files: readonly ReadingFile[],
  slots: readonly Range[],
  columns: readonly ReadingColumn[],
  sampling: SlotSampling,
): Promise<ReadingColumns> {
  const found: ReadingColumns[] = [];
  await eachAtOnce(files, async (file, n) => {
    const own = slots.filter((slot) => fileOverlapsSlot(file, slot));
    const from = Math.max(file.from, own[0]?.from ?? Infinity);
    const to = Math.min(file.to + 1, own.at(-1)?.to ?? 0);
    const [readings] = from < to ? await readFileColumns(db, [{ streamId, from, to }], columns) : [];
    // A slot may continue in the next file.
    if (readings) found[n] = samplesOf(readings, own, sampling, true);
  });
  return concatenateReadings(Object.values(found), columns.length);
}

/**
 * Returns the samples of each slot.
 * @param slots in order and disjoint
 * @param isPart also keeps the readings before the one with all needed values, so that samples can be taken of the result again
 */
function samplesOf(
  { times, values }: ReadingColumns,
  slots: readonly Range[],
  { most, needed }: SlotSampling,
  isPart = false,
): ReadingColumns {
  const kept: number[] = [];
  const required = needed === undefined ? [] : values.slice(0, needed);
  let n = 0;
  for (const { from, to } of slots) {
    n = firstFrom(times, n, from);
    for (let count = 0; count < most && n < times.length && (times[n] as number) < to; count += 1, n += 1) {
      const isComplete = required.every((column) => !Number.isNaN(column[n]));
      if (isComplete || isPart || needed === undefined) kept.push(n);
      if (isComplete && needed !== undefined) break;
    }
  }
  const take = (column: Float64Array): Float64Array => {
    const taken = new Float64Array(kept.length);
    for (const [at, index] of kept.entries()) taken[at] = column[index] as number;
    return taken;
  };
  return { times: take(times), values: values.map(take) };
}

/**
 * Returns the index of the first time at or after an instant. Starts the search at an index, because slots are often close
 * together.
 */
function firstFrom(times: Float64Array, begin: number, instant: number): number {
  let [low, step] = [begin, 1];
  while (low + step < times.length && (times[low + step] as number) < instant) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, times.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Calls `work` for each item, for a few items concurrently. */
async function eachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item, n: number) => Promise<void>,
): Promise<void> {
  const left = items.entries();
  const go = async (): Promise<void> => {
    for (const [n, item] of left) await work(item, n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
}
