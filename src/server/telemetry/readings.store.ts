import {
  bigintArray,
  columnArrays,
  instantArray,
  integerArray,
  textArray,
} from '#server/platform/binary-array.ts';
import { type Database, inTransaction, type Pool, withTimeLimit } from '#server/platform/database.ts';
import { runInShardsOfStreams, type Shard, shardCount, shardForStream } from '#server/platform/shards.ts';
import { sumReadings } from '#shared/domain/figures.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import {
  deserializeFiguresState,
  type StoredFiguresState,
  serializeFiguresState,
} from '#shared/domain/stored-track.ts';
import { withOriginalNames } from '#shared/domain/unused-names.ts';
import { storeLateReadings } from './late-readings.ts';
import { mergeSignals } from './merge-signals.ts';
import { markForRecomputation } from './motor-since.ts';
import type { NewestSignals } from './newest-signals.ts';
import { type StreamReading, toRow } from './readings/signal-columns.ts';
import { deleteSomeReadings, isWrittenAsFiles, writeFiles } from './readings/write-readings.ts';
import { bucketArrays, EXTREME_VALUE_COLUMNS, SUM_COLUMNS } from './rollup-columns.ts';
import {
  nextStreamState,
  type ReceivedReading,
  type StreamChange,
  type StreamState,
  sumOfBuckets,
} from './stream-change.ts';
import type { StreamStateCache } from './stream-state-cache.ts';

/** Time limit of a database response, the same as the pool's. */
const TIMEOUT_MS = 35_000;

/** Number of new readings, and of stored readings that gained a signal. All other readings were stored already. */
export type StoredReadingCounts = { readonly inserted: number; readonly merged: number };

/**
 * Stores readings and their derived data; for each shard all or nothing. Their streams and the partitions of their
 * weeks must exist (partitions.ts).
 */
export async function storeReadings(
  pool: Pool,
  readings: readonly StreamReading[],
): Promise<StoredReadingCounts> {
  if (readings.length === 0) return { inserted: 0, merged: 0 };
  // Shards are written outside a transaction. An empty transaction before them checks whether the caller may make the change (decision 57).
  if (shardCount() > 1) await inTransaction(pool, async () => {});
  const changes =
    shardCount() > 1
      ? await runInShardsOfStreams(pool, readings, async (_shard, own) => ({
          rows: (await storeInShard(pool, new Map(), own)).changes,
        }))
      : (await inTransaction(pool, (client) => storeShardReadings(client, readings))).changes;
  return {
    inserted: changes.reduce((sum, { inserted }) => sum + inserted, 0),
    merged: changes.reduce((sum, { merged }) => sum + merged, 0),
  };
}

/**
 * Rows that are written in the same statement as the readings: parts of a `with` clause, and their parameters ($1 …). The parts
 * read `stored` to find out whether the readings were stored.
 */
export type AdditionalRows = {
  readonly name: string;
  readonly parts: string;
  readonly values: readonly unknown[];
};

/**
 * Stores readings of streams in one of several shards. A cluster executes a function on a shard only when the call is
 * the whole statement and outside a transaction.
 */
async function storeInShard(
  pool: Pool,
  known: Pick<StreamStateCache, 'get'>,
  readings: readonly StreamReading[],
  noAnswerMs = TIMEOUT_MS,
): Promise<WrittenChanges> {
  const db = withTimeLimit(pool, noAnswerMs);
  const streams = [...new Set(readings.map(({ streamId }) => streamId))];
  return (
    (await storeWithKnownState(db, known, readings)) ??
    (await storeWithKnownState(db, await lockStreamStates(shardOfAll(db, readings), streams), readings)) ??
    inTransaction(pool, (client) => storeShardReadings(withTimeLimit(client, noAnswerMs), readings), {
      noAnswerMs,
    })
  );
}

/**
 * Stores readings in a cluster, and then the accompanying rows in a second statement. If the process dies in between,
 * the upload was not acknowledged and the logger retries it.
 */
export async function storeAcrossShards(
  pool: Pool,
  known: StreamStateCache,
  readings: readonly StreamReading[],
  { name, parts, values }: AdditionalRows,
  noAnswerMs: number,
): Promise<WrittenChanges> {
  const written = await storeInShard(pool, known, readings, noAnswerMs);
  await withTimeLimit(pool, noAnswerMs).query({
    name: `side rows ${name}`,
    text: `with stored (xmin) as (values ('')), ${parts} select`,
    values: [...values],
  });
  return written;
}

/**
 * The result of a write.
 * @property xmin `xmin` of the changed rows of `latest` after the commit
 */
export type WrittenChanges = { readonly changes: readonly StreamChange[]; readonly xmin: string };

/** Stores readings of streams in one shard, in the caller's transaction. */
export async function storeShardReadings(
  client: Database,
  readings: readonly StreamReading[],
  sideRows?: AdditionalRows,
): Promise<WrittenChanges> {
  const byStream = inOrder(readings);
  const states = await lockStreamStates(shardOfAll(client, readings), [...byStream.keys()]);
  const changes: StreamChange[] = [];
  const late: [StreamState, readonly ReceivedReading[]][] = [];
  for (const [streamId, received] of byStream) {
    const state = states.get(streamId);
    if (!state) throw new Error(`There is no stream ${streamId}.`);
    const change = changeInOrder(state, received);
    if (change) changes.push(change);
    else late.push([state, received]);
  }
  if (late.length > 0) changes.push(...(await storeLateReadings(client, late)));
  const rest: StreamChange[] = [];
  for (const change of changes)
    rest.push({ ...change, rows: await writeFiles(client, change.state.streamId, change.rows) });
  const written = await write(shardOfAll(client, readings), rest, sideRows);
  if (!written) throw new Error('A stream changed that was locked.');
  for (const { state, changedFrom } of changes)
    if (changedFrom !== undefined) await markForRecomputation(client, state.streamId, changedFrom);
  return written;
}

/**
 * Stores readings of streams in one shard in one statement, if no other row has to be read for them.
 * @returns undefined when rows have to be read, or when readings of closed weeks become files; nothing is stored then
 */
export async function storeWithKnownState(
  db: Database,
  known: Pick<StreamStateCache, 'get'>,
  readings: readonly StreamReading[],
  sideRows?: AdditionalRows,
): Promise<WrittenChanges | undefined> {
  const byStream = inOrder(readings);
  const changes: StreamChange[] = [];
  for (const [streamId, received] of byStream) {
    const state = known.get(streamId);
    const change = state && changeInOrder(state, received);
    if (!change || isWrittenAsFiles(change.rows)) return undefined;
    changes.push(change);
  }
  return write(shardOfAll(db, readings), changes, sideRows);
}

/** A batch without readings still makes one call, with empty arrays; any shard will do. */
const shardOfAll = (db: Database, readings: readonly StreamReading[]): Shard =>
  shardForStream(db, readings[0]?.streamId ?? 0);

/** Writes changes to one shard. @returns undefined when a stream was changed meanwhile; nothing is stored then */
async function write(
  shard: Shard,
  changes: readonly StreamChange[],
  sideRows?: AdditionalRows,
): Promise<WrittenChanges | undefined> {
  const first = (sideRows?.values.length ?? 0) + 1;
  const call = `telemetry.store_readings(${ARGUMENTS.map((type, n) => `$${first + n}::${type}[]`).join(', ')})`;
  const { rows } = await shard.query<{ xmin: string | null }>({
    name: `store readings ${sideRows?.name ?? ''}`,
    text: sideRows
      ? `with stored as materialized (select ${call} as xmin), ${sideRows.parts} select xmin from stored`
      : `select ${call} as xmin`,
    values: [...(sideRows?.values ?? []), ...storeArguments(changes)],
  });
  const xmin = rows[0]?.xmin ?? undefined;
  return xmin === undefined ? undefined : { changes, xmin };
}

/** Groups readings by stream, in the order of stream ids, and sorts them by time. Merges readings of one instant. */
function inOrder(readings: readonly StreamReading[]): Map<number, ReceivedReading[]> {
  const byStream = new Map<number, ReceivedReading[]>();
  // The sort is stable: of several readings of one instant, the one that arrived first comes first.
  for (const one of readings.toSorted((a, b) => a.streamId - b.streamId || a.time - b.time)) {
    const { streamId, time, receivedAt = time } = one;
    const signals = withoutFalsePosition(withOriginalNames(one.signals));
    const received = byStream.get(streamId) ?? [];
    const before = received.at(-1);
    if (received.length === 0) byStream.set(streamId, received);
    if (before?.time === time)
      received[received.length - 1] = {
        ...before,
        signals: mergeSignals(before.signals, signals) ?? before.signals,
      };
    else received.push({ time, signals, since: Math.min(time, receivedAt) });
  }
  return byStream;
}

/** Locks streams of one shard in the order of their ids, so that concurrent groups cannot deadlock. */
export async function lockStreamStates(
  shard: Shard,
  streams: readonly number[],
): Promise<Map<number, StreamState>> {
  const { rows } = await shard.query<{
    streamId: number;
    lastReceivedAt: number;
    signals: NewestSignals;
    track: StoredFiguresState;
    isOutdated: boolean;
    xmin: string;
  }>({
    name: 'lock streams',
    text: `select stream_id, date_part('epoch', heard_at) * 1000 as last_received_at, signals, track,
      recompute_from is not null as is_outdated, xmin::text from telemetry.latest where stream_id = any ($1) order by stream_id for update`,
    values: [streams],
  });
  return new Map(
    rows.map((state) => [state.streamId, { ...state, track: deserializeFiguresState(state.track) }]),
  );
}

/**
 * Computes a change from readings that follow a stream's newest reading, as nearly all do, without reading other rows. Returns
 * undefined for late readings.
 */
function changeInOrder(state: StreamState, received: readonly ReceivedReading[]): StreamChange | undefined {
  const { track, isOutdated } = state;
  const first = received[0] as ReceivedReading;
  if (isOutdated || (track.time !== undefined && first.time <= track.time)) return undefined;
  const { readings, looksBack, packs, buckets, track: after } = sumReadings(received, track);
  if (looksBack) return undefined;
  return {
    ...nextStreamState(state, readings as readonly ReceivedReading[], after),
    rows: readings.map(({ time, signals }, n) => ({ time, row: toRow(signals, packs[n] ?? []) })),
    buckets,
    inserted: received.length,
    merged: 0,
    count: received.length,
    runningMs: sumOfBuckets(buckets, 'runningMs'),
  };
}

const ARGUMENTS = [
  ...['integer', 'timestamptz', ...SIGNALS.map(() => 'float8'), 'jsonb'],
  ...[
    'integer',
    'timestamptz',
    ...SUM_COLUMNS.map(() => 'bigint'),
    ...EXTREME_VALUE_COLUMNS.map(() => 'float8'),
    'text',
  ],
  ...['integer', 'timestamptz', 'timestamptz', 'json', 'integer', 'json', 'integer', 'bigint'],
  'text',
];

/** Binary arguments, so that neither side converts numbers to text. */
function storeArguments(changes: readonly StreamChange[]): Buffer[] {
  const rows = changes.flatMap(({ state: { streamId }, rows: ofStream }) =>
    ofStream.map((one) => ({ streamId, ...one })),
  );
  const buckets = changes.flatMap(({ state: { streamId }, buckets: ofStream }) =>
    [...ofStream].map(([start, bucket]) => ({ streamId, start, bucket })),
  );
  const moved = changes.filter(({ inserted, merged }) => inserted + merged > 0);
  return [
    integerArray(rows.map(({ streamId }) => streamId)),
    instantArray(rows.map(({ time }) => time)),
    ...columnArrays('double', rows, SIGNALS.length, ({ row }, column) => row.columns[column]),
    textArray(
      'jsonb',
      rows.map(({ row: { rest } }) => rest && JSON.stringify(rest)),
    ),
    integerArray(buckets.map(({ streamId }) => streamId)),
    instantArray(buckets.map(({ start }) => start)),
    ...bucketArrays(buckets.map(({ bucket }) => bucket)),
    integerArray(moved.map(({ state }) => state.streamId)),
    instantArray(moved.map(({ state }) => state.track.time ?? 0)),
    instantArray(moved.map(({ state }) => state.lastReceivedAt)),
    textArray(
      'json',
      moved.map(({ state }) => JSON.stringify(state.signals)),
    ),
    integerArray(moved.map(({ leftOut }) => leftOut)),
    textArray(
      'json',
      moved.map(({ state }) => JSON.stringify(serializeFiguresState(state.track))),
    ),
    integerArray(moved.map(({ count }) => count)),
    bigintArray(moved.map(({ runningMs }) => runningMs)),
    textArray(
      'text',
      moved.map(({ state }) => state.xmin),
    ),
  ];
}

/** Number of rows that one statement deletes, so small that concurrent writes can wait for it. */
const BATCH = 10_000;

/**
 * Deletes a stream's history in batches.
 * @returns false when `until` (performance.now) was reached before all of it was deleted
 */
export async function removeHistory(db: Database, streamId: number, until: number): Promise<boolean> {
  while ((await deleteSomeReadings(db, streamId, BATCH)) > 0) if (performance.now() > until) return false;
  for (const [table, time] of [
    ['telemetry.rollup', 'bucket'],
    ['telemetry.presence', 'from_time'],
    ['telemetry.terrein_presence', 'from_time'],
    ['telemetry.charging_session', 'from_time'],
    ['telemetry.charge_forecast', 'at'],
    ['telemetry.day_figures', 'day'],
    ['telemetry.dm1_day', 'day'],
    ['telemetry.fault_episode', 'since'],
  ]) {
    let removed: number;
    do {
      const { rowCount } = await shardForStream(db, streamId).query(
        `delete from ${table} where stream_id = $1 and ${time} <= (
           select max(${time}) from (select ${time} from ${table} where stream_id = $1 order by ${time} limit ${BATCH}) as oldest
         )`,
        [streamId],
      );
      removed = rowCount ?? 0;
      if (performance.now() > until) return false;
    } while (removed > 0);
  }
  return true;
}
