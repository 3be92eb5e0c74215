import { type Database, inTransaction, type Pool, withTimeLimit } from '#server/platform/database.ts';
import { ofStream, ofStreams, type Shard, shardCount } from '#server/platform/shards.ts';
import { addUp } from '#shared/domain/figures.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { packTrack, type StoredTrack, trackOf } from '#shared/domain/stored-track.ts';
import { asSent } from '#shared/domain/unused-names.ts';
import { bigints, columns, instants, integers, texts } from './binary-array.ts';
import type { KnownStates } from './known-states.ts';
import { storeLate } from './late-readings.ts';
import { mergeSignals } from './merge-signals.ts';
import { recomputeFrom } from './motor-since.ts';
import type { NewestSignals } from './newest-signals.ts';
import { bucketArrays, EXTREMES, SUM_COLUMNS } from './rollup-columns.ts';
import { type StreamReading, toRow } from './signal-columns.ts';
import { type Change, type Heard, newState, type StreamState, sumOf } from './stream-change.ts';

/** ms; as the pool's own patience. */
const LONGEST_MS = 35_000;

/** How many rows were new, and how many existing ones gained a signal. The others were there already. */
export type Stored = { readonly inserted: number; readonly merged: number };

/**
 * Stores readings, those of a shard all or nothing, and what is derived from them. The partitions of their weeks must exist
 * (partitions.ts) and their streams too.
 */
export async function storeReadings(pool: Pool, readings: readonly StreamReading[]): Promise<Stored> {
  if (readings.length === 0) return { inserted: 0, merged: 0 };
  const changes =
    shardCount() > 1
      ? await ofStreams(pool, readings, async (_cell, own) => ({
          rows: (await storeInShard(pool, new Map(), own)).changes,
        }))
      : (await inTransaction(pool, (client) => storeIn(client, readings))).changes;
  return {
    inserted: changes.reduce((sum, { inserted }) => sum + inserted, 0),
    merged: changes.reduce((sum, { merged }) => sum + merged, 0),
  };
}

/** Carried out in the same statement: parts of a `with`, and their parameters ($1 …); `stored` says whether at all. */
export type Besides = { readonly name: string; readonly parts: string; readonly values: readonly unknown[] };

/**
 * Stores readings of the streams of one of several shards. A cluster calls a function where that shard is only if it is all of the statement, and in no
 * transaction.
 */
async function storeInShard(
  pool: Pool,
  known: Pick<KnownStates, 'get'>,
  readings: readonly StreamReading[],
  noAnswerMs = LONGEST_MS,
): Promise<Written> {
  const db = withTimeLimit(pool, noAnswerMs);
  const streams = [...new Set(readings.map(({ streamId }) => streamId))];
  return (
    (await storeKnown(db, known, readings)) ??
    (await storeKnown(db, await lockStates(shardOfAll(db, readings), streams), readings)) ??
    inTransaction(pool, (client) => storeIn(withTimeLimit(client, noAnswerMs), readings), { noAnswerMs })
  );
}

/** And what is besides after it: what breaks off between them has no answer, and is delivered again. */
export async function storeSpread(
  pool: Pool,
  known: KnownStates,
  readings: readonly StreamReading[],
  { name, parts, values }: Besides,
  noAnswerMs: number,
): Promise<Written> {
  const written = await storeInShard(pool, known, readings, noAnswerMs);
  await withTimeLimit(pool, noAnswerMs).query({
    name: `besides ${name}`,
    text: `with stored (xmin) as (values ('')), ${parts} select`,
    values: [...values],
  });
  return written;
}

/** @property xmin what the changed rows of `latest` bear after the commit */
export type Written = { readonly changes: readonly Change[]; readonly xmin: string };

/** Stores readings of the streams of one shard, in the caller's transaction. */
export async function storeIn(
  client: Database,
  readings: readonly StreamReading[],
  besides?: Besides,
): Promise<Written> {
  const byStream = inOrder(readings);
  const states = await lockStates(shardOfAll(client, readings), [...byStream.keys()]);
  const changes: Change[] = [];
  const late: [StreamState, readonly Heard[]][] = [];
  for (const [streamId, heard] of byStream) {
    const state = states.get(streamId);
    if (!state) throw new Error(`There is no stream ${streamId}.`);
    const change = changeInOrder(state, heard);
    if (change) changes.push(change);
    else late.push([state, heard]);
  }
  if (late.length > 0) changes.push(...(await storeLate(client, late)));
  const written = await write(shardOfAll(client, readings), changes, besides);
  if (!written) throw new Error('A stream changed that was locked.');
  for (const { state, changedFrom } of changes)
    if (changedFrom !== undefined) await recomputeFrom(client, state.streamId, changedFrom);
  return written;
}

/**
 * The same in one statement, when nothing has to be read for it.
 * @returns undefined when that is not so: nothing is stored then
 */
export async function storeKnown(
  db: Database,
  known: Pick<KnownStates, 'get'>,
  readings: readonly StreamReading[],
  besides?: Besides,
): Promise<Written | undefined> {
  const byStream = inOrder(readings);
  const changes: Change[] = [];
  for (const [streamId, heard] of byStream) {
    const state = known.get(streamId);
    const change = state && changeInOrder(state, heard);
    if (!change) return undefined;
    changes.push(change);
  }
  return write(shardOfAll(db, readings), changes, besides);
}

/** What has no readings has one call, of no rows, in any of them. */
const shardOfAll = (db: Database, readings: readonly StreamReading[]): Shard =>
  ofStream(db, readings[0]?.streamId ?? 0);

/** @returns undefined when a stream is not any more as `changes` found it: nothing is stored then */
async function write(
  shard: Shard,
  changes: readonly Change[],
  besides?: Besides,
): Promise<Written | undefined> {
  const first = (besides?.values.length ?? 0) + 1;
  const call = `telemetry.store_readings(${ARGUMENTS.map((type, n) => `$${first + n}::${type}[]`).join(', ')})`;
  const { rows } = await shard.query<{ xmin: string | null }>({
    name: `store readings ${besides?.name ?? ''}`,
    text: besides
      ? `with stored as materialized (select ${call} as xmin), ${besides.parts} select xmin from stored`
      : `select ${call} as xmin`,
    values: [...(besides?.values ?? []), ...storeArguments(changes)],
  });
  const xmin = rows[0]?.xmin ?? undefined;
  return xmin === undefined ? undefined : { changes, xmin };
}

/** By stream, in the order of their ids; in order of time. Readings of one instant become one. */
function inOrder(readings: readonly StreamReading[]): Map<number, Heard[]> {
  const byStream = new Map<number, Heard[]>();
  // Stable: of one instant the first delivery comes first.
  for (const one of readings.toSorted((a, b) => a.streamId - b.streamId || a.time - b.time)) {
    const { streamId, time, receivedAt = time } = one;
    const signals = withoutFalsePosition(asSent(one.signals));
    const heard = byStream.get(streamId) ?? [];
    const before = heard.at(-1);
    if (heard.length === 0) byStream.set(streamId, heard);
    if (before?.time === time)
      heard[heard.length - 1] = {
        ...before,
        signals: mergeSignals(before.signals, signals) ?? before.signals,
      };
    else heard.push({ time, signals, since: Math.min(time, receivedAt) });
  }
  return byStream;
}

/** Locks streams of one shard, in the order of their ids: groups that run at the same time never wait in a circle. */
export async function lockStates(
  shard: Shard,
  streams: readonly number[],
): Promise<Map<number, StreamState>> {
  const { rows } = await shard.query<{
    streamId: number;
    heardAt: number;
    signals: NewestSignals;
    track: StoredTrack;
    isOutdated: boolean;
    xmin: string;
  }>({
    name: 'lock streams',
    text: `select stream_id as "streamId", date_part('epoch', heard_at) * 1000 as "heardAt", signals, track,
      recompute_from is not null as "isOutdated", xmin::text from telemetry.latest where stream_id = any ($1) order by stream_id for update`,
    values: [streams],
  });
  return new Map(rows.map((state) => [state.streamId, { ...state, track: trackOf(state.track) }]));
}

/** What follows a stream's newest reading, nearly everything: no look at other rows. undefined: it does not. */
function changeInOrder(state: StreamState, heard: readonly Heard[]): Change | undefined {
  const { track, isOutdated } = state;
  const first = heard[0] as Heard;
  if (isOutdated || (track.time !== undefined && first.time <= track.time)) return undefined;
  const { readings, looksBack, packs, buckets, track: after } = addUp(heard, track);
  if (looksBack) return undefined;
  return {
    ...newState(state, readings as readonly Heard[], after),
    rows: readings.map(({ time, signals }, n) => ({ time, row: toRow(signals, packs[n] ?? []) })),
    buckets,
    inserted: heard.length,
    merged: 0,
    count: heard.length,
    runningMs: sumOf(buckets, 'runningMs'),
  };
}

const ARGUMENTS = [
  ...['integer', 'timestamptz', ...SIGNALS.map(() => 'float8'), 'jsonb'],
  ...['integer', 'timestamptz', ...SUM_COLUMNS.map(() => 'bigint'), ...EXTREMES.map(() => 'float8'), 'text'],
  ...['integer', 'timestamptz', 'timestamptz', 'json', 'integer', 'json', 'integer', 'bigint'],
  'text',
];

/** Binary: neither side writes or reads a number as text. */
function storeArguments(changes: readonly Change[]): Buffer[] {
  const rows = changes.flatMap(({ state: { streamId }, rows: ofStream }) =>
    ofStream.map((one) => ({ streamId, ...one })),
  );
  const buckets = changes.flatMap(({ state: { streamId }, buckets: ofStream }) =>
    [...ofStream].map(([start, bucket]) => ({ streamId, start, bucket })),
  );
  const moved = changes.filter(({ inserted, merged }) => inserted + merged > 0);
  return [
    integers(rows.map(({ streamId }) => streamId)),
    instants(rows.map(({ time }) => time)),
    ...columns('double', rows, SIGNALS.length, ({ row }, column) => row.columns[column]),
    texts(
      'jsonb',
      rows.map(({ row: { rest } }) => rest && JSON.stringify(rest)),
    ),
    integers(buckets.map(({ streamId }) => streamId)),
    instants(buckets.map(({ start }) => start)),
    ...bucketArrays(buckets.map(({ bucket }) => bucket)),
    integers(moved.map(({ state }) => state.streamId)),
    instants(moved.map(({ state }) => state.track.time ?? 0)),
    instants(moved.map(({ state }) => state.heardAt)),
    texts(
      'json',
      moved.map(({ state }) => JSON.stringify(state.signals)),
    ),
    integers(moved.map(({ leftOut }) => leftOut)),
    texts(
      'json',
      moved.map(({ state }) => JSON.stringify(packTrack(state.track))),
    ),
    integers(moved.map(({ count }) => count)),
    bigints(moved.map(({ runningMs }) => runningMs)),
    texts(
      'text',
      moved.map(({ state }) => state.xmin),
    ),
  ];
}

/** Rows per statement: short enough to be waited for by what comes in meanwhile. */
const BATCH = 10_000;

/** Removes a stream's history in batches. @returns false when `until` (performance.now) came before all of it was gone */
export async function removeHistory(db: Database, streamId: number, until: number): Promise<boolean> {
  for (const [table, time] of [
    ['telemetry.reading', 'time'],
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
      const { rowCount } = await ofStream(db, streamId).query(
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
