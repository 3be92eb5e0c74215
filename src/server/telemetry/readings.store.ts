import { type Database, inTransaction, type Pool } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import { addUp, type Track } from '#shared/domain/figures.ts';
import { withoutFalsePosition } from '#shared/domain/position.ts';
import { SIGNALS } from '#shared/domain/signal.ts';
import { bigints, doubles, instants, integers, texts } from './binary-array.ts';
import type { KnownStates } from './known-states.ts';
import { storeLate } from './late-readings.ts';
import { mergeSignals } from './merge-signals.ts';
import type { NewestSignals } from './newest-signals.ts';
import { HIGH_COLUMNS, LOW_COLUMNS, packsText, SUM_COLUMNS } from './rollup-columns.ts';
import { type StreamReading, toRow } from './signal-columns.ts';
import { type Change, type Heard, newState, type StreamState, sumOf } from './stream-change.ts';

const { reading, rollup, latest, presence, chargingSession, chargeForecast, dayFigures } = telemetryTables();

/** How many rows were new, and how many existing ones gained a signal. The others were there already. */
export type Stored = { readonly inserted: number; readonly merged: number };

/**
 * Stores readings, all or nothing, and what is derived from them. The partitions of their weeks must exist
 * (partitions.ts) and their streams too.
 */
export async function storeReadings(pool: Pool, readings: readonly StreamReading[]): Promise<Stored> {
  if (readings.length === 0) return { inserted: 0, merged: 0 };
  const { changes } = await inTransaction(pool, (client) => storeIn(client, readings));
  return {
    inserted: changes.reduce((sum, { inserted }) => sum + inserted, 0),
    merged: changes.reduce((sum, { merged }) => sum + merged, 0),
  };
}

/** Carried out in the same statement: parts of a `with`, and their parameters ($1 …); `stored` says whether at all. */
export type Besides = { readonly name: string; readonly parts: string; readonly values: readonly unknown[] };

/** @property xmin what the changed rows of `latest` bear after the commit */
export type Written = { readonly changes: readonly Change[]; readonly xmin: string };

/** The same in the caller's transaction. */
export async function storeIn(
  client: Database,
  readings: readonly StreamReading[],
  besides?: Besides,
): Promise<Written> {
  const byStream = inOrder(readings);
  const states = await lockStates(client, [...byStream.keys()]);
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
  const written = await write(client, changes, besides);
  if (!written) throw new Error('A stream changed that was locked.');
  return written;
}

/**
 * The same in one statement, when nothing has to be read for it.
 * @returns undefined when that is not so: nothing is stored then
 */
export async function storeKnown(
  db: Database,
  known: KnownStates,
  readings: readonly StreamReading[],
  besides: Besides,
): Promise<Written | undefined> {
  const byStream = inOrder(readings);
  const changes: Change[] = [];
  for (const [streamId, heard] of byStream) {
    const state = known.get(streamId);
    const change = state && changeInOrder(state, heard);
    if (!change) return undefined;
    changes.push(change);
  }
  return write(db, changes, besides);
}

/** @returns undefined when a stream is not any more as `changes` found it: nothing is stored then */
async function write(
  db: Database,
  changes: readonly Change[],
  besides?: Besides,
): Promise<Written | undefined> {
  const first = (besides?.values.length ?? 0) + 1;
  const call = `store_readings(${ARGUMENTS.map((type, n) => `$${first + n}::${type}[]`).join(', ')})`;
  const stored = `stored as materialized (select ${call} as xmin)`;
  const { rows } = await db.query<{ xmin: string | null }>({
    name: `store readings ${besides?.name ?? ''}`,
    text: `with ${besides ? `${stored}, ${besides.parts}` : stored} select xmin from stored`,
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
    const signals = withoutFalsePosition(one.signals);
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

/** Locks the streams, in the order of their ids: groups that run at the same time never wait in a circle. */
export async function lockStates(
  db: Database,
  streams: readonly number[],
): Promise<Map<number, StreamState>> {
  const { rows } = await db.query<{
    streamId: number;
    heardAt: number;
    signals: NewestSignals;
    track: Track;
    isOutdated: boolean;
    xmin: string;
  }>({
    name: 'lock streams',
    text: `select stream_id as "streamId", date_part('epoch', heard_at) * 1000 as "heardAt", signals, track,
      recompute_from is not null as "isOutdated", xmin::text from ${latest} where stream_id = any ($1) order by stream_id for update`,
    values: [streams],
  });
  return new Map(rows.map((state) => [state.streamId, state]));
}

/** What follows a stream's newest reading, nearly everything: no look at other rows. undefined: it does not. */
function changeInOrder(state: StreamState, heard: readonly Heard[]): Change | undefined {
  const { track, isOutdated } = state;
  const first = heard[0] as Heard;
  if (isOutdated || (track.time !== undefined && first.time <= track.time)) return undefined;
  const { looksBack, packs, buckets, track: after } = addUp(heard, track);
  if (looksBack) return undefined;
  return {
    ...newState(state, heard, after),
    rows: heard.map(({ time, signals }, n) => ({ time, row: toRow(signals, packs[n] ?? []) })),
    buckets,
    inserted: heard.length,
    merged: 0,
    count: heard.length,
    runningMs: sumOf(buckets, 'runningMs'),
  };
}

const EXTREMES = [...LOW_COLUMNS, ...HIGH_COLUMNS];
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
    ...SIGNALS.map((_, column) => doubles(rows.map(({ row }) => row.columns[column]))),
    texts(
      'jsonb',
      rows.map(({ row: { rest } }) => rest && JSON.stringify(rest)),
    ),
    integers(buckets.map(({ streamId }) => streamId)),
    instants(buckets.map(({ start }) => start)),
    ...SUM_COLUMNS.map(({ name }) => bigints(buckets.map(({ bucket }) => bucket[name]))),
    ...EXTREMES.map(({ of }) => doubles(buckets.map(({ bucket }) => of(bucket)))),
    texts(
      'text',
      buckets.map(({ bucket }) => packsText(bucket)),
    ),
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
      moved.map(({ state }) => JSON.stringify(state.track)),
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
    [reading, 'time'],
    [rollup, 'bucket'],
    [presence, 'from_time'],
    [chargingSession, 'from_time'],
    [chargeForecast, 'at'],
    [dayFigures, 'day'],
  ]) {
    let removed: number;
    do {
      const { rowCount } = await db.query(
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
