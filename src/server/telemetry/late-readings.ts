import { setImmediate as nextTurn } from 'node:timers/promises';
import { instantArray } from '#server/platform/binary-array.ts';
import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import {
  bucketStart,
  bucketsOf,
  type FiguresState,
  findIntervals,
  NEW_FIGURES_STATE,
  readingRangeFor,
  type StoredBucket,
  sumMarkedReadings,
} from '#shared/domain/figures.ts';
import { BUCKET_MS, MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { packNumberOf } from '#shared/domain/packs.ts';
import type { Reading, Signals } from '#shared/domain/signal.ts';
import { findUnusedValues, withUnusedMarked } from '#shared/domain/unused-values.ts';
import { MAX_POSITION_INFLUENCE_MS, positionStateOf } from '#shared/domain/usable-positions.ts';
import { mergeSignals } from './merge-signals.ts';
import { firstMotorSpeedAt, rollupRecomputationStartMs } from './motor-since.ts';
import { recheckRemovedPositions } from './old-positions.ts';
import { type ReadingRow, toRow } from './readings/signal-columns.ts';
import {
  hasSameColumns,
  readReadingsAtInstants,
  readStoredReadings,
  type StoredReading,
} from './readings/stored-readings.ts';
import { deleteReadings, writeRows } from './readings/write-readings.ts';
import { bucketArrays, EXTREME_VALUE_COLUMNS, SUM_COLUMNS } from './rollup-columns.ts';
import {
  nextStreamState,
  type ReadingOutcome,
  type ReceivedReading,
  type StreamChange,
  type StreamState,
  sumOfBuckets,
} from './stream-change.ts';

/**
 * Stores readings that do not simply follow a stream's newest reading: late readings, additional signals for a stored instant, and
 * readings that complete an earlier interval. Recomputes the buckets around them from the stored readings (docs/figures.md section
 * 11), so that every figure depends on the set of readings and not on the order of arrival.
 * @param late readings of streams of one shard
 */
export async function storeLateReadings(
  client: Database,
  late: readonly (readonly [StreamState, readonly ReceivedReading[]])[],
): Promise<StreamChange[]> {
  const stored = await readReadingsAtInstants(
    client,
    late.flatMap(([{ streamId }, received]) => received.map(({ time }) => ({ streamId, time }))),
  );
  const changes: StreamChange[] = [];
  for (const [state, received] of late) {
    const before = stored.get(state.streamId) ?? new Map<number, Reading>();
    changes.push(await storeOne(client, state, received, before));
  }
  return changes;
}

async function storeOne(
  client: Database,
  state: StreamState,
  received: readonly ReceivedReading[],
  before: ReadonlyMap<number, Reading>,
): Promise<StreamChange> {
  const { streamId } = state;
  const outcomes = new Map<number, ReadingOutcome>();
  const added: ReceivedReading[] = [];
  const merges: ReceivedReading[] = [];
  for (const one of received) {
    const there = before.get(one.time);
    const merged = there && mergeSignals(there.signals, one.signals);
    outcomes.set(one.time, there ? (merged ? 'merged' : 'duplicates') : 'readings');
    if (!there) added.push(one);
    else if (merged) merges.push({ ...one, signals: merged });
  }
  const touched = [...added, ...merges].sort((a, b) => a.time - b.time);
  const sums = { count: 0, runningMs: 0 };
  const motorSince = firstMotorSpeedAt(state.track.motorSince, touched);
  const stored: ReceivedReading[] = [];
  const parts = groupNearbyReadings(touched);
  for (const part of parts) {
    const isNew = new Set(part.map(({ time }) => time).filter((time) => !before.has(time)));
    const changed = await repairBuckets(client, { streamId, motorSince }, part, isNew);
    stored.push(...part.map((one) => ({ ...one, signals: changed.stored.get(one.time) ?? one.signals })));
    sums.count += changed.count;
    sums.runningMs += changed.runningMs;
  }
  const repairedUntil = parts
    .map((part) => part.at(-1)?.time ?? 0)
    .find((last) => last >= (motorSince ?? Infinity));
  const changedFrom = rollupRecomputationStartMs(state.track, motorSince, repairedUntil);
  if (touched[0]) await recheckRemovedPositions(client, streamId, touched[0].time);
  const newest = Math.max(state.track.time ?? Number.NEGATIVE_INFINITY, touched.at(-1)?.time ?? 0);
  const isNear = state.isOutdated || (touched.at(-1)?.time ?? 0) >= newest - MAX_POSITION_INFLUENCE_MS;
  const track =
    touched.length > 0 && isNear
      ? await readFiguresState(client, { streamId, motorSince }, newest)
      : { ...state.track, motorSince };
  return {
    ...nextStreamState(
      { ...state, isOutdated: state.isOutdated || changedFrom !== undefined },
      stored,
      track,
    ),
    changedFrom,
    rows: [],
    buckets: new Map(),
    inserted: added.length,
    merged: merges.length,
    ...sums,
    outcomes,
  };
}

/** Maximum time span of one group of nearby readings: 72,000 readings of a logger at 10 Hz. */
const MAX_PART_MS = 2 * 3_600_000;

/** Groups readings that are close together, so that few other readings have to be read. */
export function groupNearbyReadings<Touched extends { readonly time: number }>(
  touched: readonly Touched[],
): Touched[][] {
  const parts: Touched[][] = [];
  for (const one of touched) {
    const part = parts.at(-1);
    const first = part?.[0]?.time ?? 0;
    const last = part?.at(-1)?.time ?? 0;
    if (part && one.time - last <= 2 * BUCKET_MS && one.time - first <= MAX_PART_MS) part.push(one);
    else parts.push([one]);
  }
  return parts;
}

/** `motorSince`: time of the stream's first MotorSpeed, in ms. */
export type MotorStream = { readonly streamId: number; readonly motorSince: number | undefined };

type Repaired = {
  /** Change of the number of readings in the roll-up. */
  readonly count: number;
  readonly runningMs: number;
  /** The repaired readings as they are now stored, by time. */
  readonly stored: ReadonlyMap<number, Signals>;
};

/**
 * Writes a group of nearby readings and recomputes the buckets that they may have changed.
 * @param part these readings as they were sent
 * @param isNew times of the readings that are not stored yet
 * @param gone times of readings to delete, near these readings
 */
export async function repairBuckets(
  client: Database,
  { streamId, motorSince }: MotorStream,
  part: readonly Reading[],
  isNew: ReadonlySet<number>,
  gone: readonly number[] = [],
): Promise<Repaired> {
  const times = [...part.map(({ time }) => time), ...gone];
  const first = Math.min(...times);
  const last = Math.max(...times);
  const zone = { from: first - MAX_POSITION_INFLUENCE_MS, to: last + MAX_POSITION_INFLUENCE_MS + 1 };
  const arrived = new Set(part.map(({ time }) => time));
  const isGone = new Set(gone);
  const withPart = (
    stored: readonly StoredReading[],
  ): readonly (Reading & { readonly unused?: readonly string[] })[] => {
    const stays = stored.filter(({ time }) => !arrived.has(time) && !isGone.has(time));
    return [...stays, ...part].sort((a, b) => a.time - b.time);
  };
  let touched = {
    from: bucketStart(first - MAX_GAP_MS),
    to: bucketStart(last + 2 * MAX_GAP_MS) + BUCKET_MS,
  };
  let stored = await readStoredReadings(client, streamId, around(readingRangeFor(touched), zone));
  let sent = withPart(stored);
  let judged = findUnusedValues(sent);
  const contradicts =
    judged.hasContradiction ||
    stored.some(({ unused }) => unused.some((name) => packNumberOf(name) !== undefined)) ||
    (gone.length > 0 && findUnusedValues(stored).hasContradiction);
  if (contradicts) {
    // Values around these readings may have become valid or invalid.
    touched = { from: bucketStart(zone.from), to: bucketStart(zone.to + MAX_GAP_MS) + BUCKET_MS };
    const wide = { from: zone.from - MAX_POSITION_INFLUENCE_MS, to: zone.to + MAX_POSITION_INFLUENCE_MS };
    stored = await readStoredReadings(client, streamId, around(readingRangeFor(touched), wide));
    sent = withPart(stored);
    judged = findUnusedValues(sent);
  }
  // The readings of an hour take tens of milliseconds, so other work may run in between.
  await nextTurn();
  const readings = withUnusedMarked(
    sent,
    sent.map(
      ({ time, unused }, n) => (zone.from <= time && time < zone.to ? judged.unused[n] : unused) ?? [],
    ),
  );
  const followed = findIntervals(readings, { ...NEW_FIGURES_STATE, motorSince });
  await nextTurn();
  const buckets = bucketsOf(readings, followed, touched);

  const changed: { time: number; row: ReadingRow }[] = [];
  const inserted: { time: number; row: ReadingRow }[] = [];
  const storedByTime = new Map(stored.map((one) => [one.time, one]));
  // If values of one pack under different names contradict each other, the value that figures use may change in the whole zone.
  const written = contradicts ? zone : { from: first, to: last + MAX_GAP_MS + 1 };
  for (const [n, { time, signals }] of readings.entries()) {
    if (time < written.from || time >= written.to) continue;
    const row = toRow(signals, followed.packs[n] ?? []);
    if (isNew.has(time)) inserted.push({ time, row });
    else if (arrived.has(time) || !hasSameColumns(storedByTime.get(time), row)) changed.push({ time, row });
  }
  await writeRows(client, streamId, inserted, changed);
  if (gone.length > 0) await deleteReadings(client, streamId, gone);
  const before = await replaceBuckets(client, streamId, touched, buckets);
  return {
    count: sumOfBuckets(buckets, 'count') - before.count,
    runningMs: sumOfBuckets(buckets, 'runningMs') - before.runningMs,
    stored: new Map(readings.flatMap(({ time, signals }) => (arrived.has(time) ? [[time, signals]] : []))),
  };
}

const around = (a: Range, b: Range): Range => ({ from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) });

/** Returns the state of the figures' computation after a stream's newest reading, from which the next readings continue it. */
export async function readFiguresState(
  client: Database,
  { streamId, motorSince }: MotorStream,
  newest: number,
): Promise<FiguresState> {
  const sent = await readStoredReadings(client, streamId, {
    ...readingRangeFor({ from: newest, to: newest }),
    to: newest + 1,
  });
  const unused = sent.map((one) => one.unused);
  const counts = unused.map((names) => !names.includes('LATITUDE'));
  const last = positionStateOf(sent, counts);
  return sumMarkedReadings(
    { readings: withUnusedMarked(sent, unused), last, looksBack: false },
    { ...NEW_FIGURES_STATE, motorSince },
  ).track;
}

/** Replaces buckets, and marks the days from there on to be computed again. @returns the sums of the replaced buckets */
export async function replaceBuckets(
  client: Database,
  streamId: number,
  { from, to }: Range,
  buckets: ReadonlyMap<number, StoredBucket>,
): Promise<{ count: number; runningMs: number }> {
  const { rows } = await shardForStream(client, streamId).query<{ count: number; runningMs: number }>(
    `with gone as (
       delete from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 returning count, running_ms
     )
     select coalesce(sum(count), 0)::float8 as count, coalesce(sum(running_ms), 0)::float8 as running_ms from gone`,
    [streamId, new Date(from), new Date(to)],
  );
  await insertBuckets(client, streamId, buckets);
  await shardForStream(client, streamId).query(
    `insert into telemetry.changed_history (stream_id, from_time) values ($1, $2)`,
    [streamId, new Date(from)],
  );
  return rows[0] as { count: number; runningMs: number };
}

async function insertBuckets(
  client: Database,
  streamId: number,
  buckets: ReadonlyMap<number, StoredBucket>,
): Promise<void> {
  if (buckets.size === 0) return;
  await shardForStream(client, streamId).query(INSERT_BUCKETS, [
    streamId,
    instantArray([...buckets.keys()]),
    ...bucketArrays([...buckets.values()]),
  ]);
}

const NUMBERS = [
  ...SUM_COLUMNS.map(({ column }) => ({ column, type: 'bigint' })),
  ...EXTREME_VALUE_COLUMNS.map(({ column }) => ({ column, type: 'float8' })),
];
const NUMBER_COLUMNS = NUMBERS.map(({ column }) => column).join(', ');
const INSERT_BUCKETS = `insert into telemetry.rollup (stream_id, bucket, ${NUMBER_COLUMNS}, packs)
  select $1::integer, bucket, ${NUMBER_COLUMNS}, packs::float8[]
  from unnest($2::timestamptz[], ${NUMBERS.map(({ type }, n) => `$${n + 3}::${type}[]`).join(', ')},
    $${NUMBERS.length + 3}::text[]) as n (bucket, ${NUMBER_COLUMNS}, packs)`;
