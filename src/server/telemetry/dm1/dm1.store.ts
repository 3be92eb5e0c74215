import { integerArray, textArray } from '#server/platform/binary-array.ts';
import { inTransaction, type Pool, type Transaction } from '#server/platform/database.ts';
import { type Shard, shardForStream } from '#server/platform/shards.ts';
import { lockStreamStates } from '#server/telemetry/readings.store.ts';
import type { Range } from '#shared/domain/intervals.ts';
import {
  DAY_MS,
  type Dm1Day,
  type Dm1DayKey,
  type Dm1Days,
  dm1DayKeyText,
  dm1DaysInside,
  dm1DaysOutside,
  joinDays,
} from './dm1-days.ts';
import { summarizeDm1Day } from './episodes.ts';
import { recomputeEpisodes } from './fault-episodes.store.ts';

/** Adds observed DM1 messages to the stored ones of a stream. Safe to repeat. */
export const storeDm1 = (pool: Pool, streamId: number, observed: Dm1Days): Promise<void> =>
  changeDm1(pool, streamId, observed, (stored) => joinDays(stored, observed));

/** Changes the stored DM1 messages of some days of a stream, and recomputes the stream's episodes. */
export const changeDm1 = (
  pool: Pool,
  streamId: number,
  days: Dm1Days,
  change: (stored: Dm1Days) => Dm1Days,
): Promise<void> =>
  days.size === 0
    ? Promise.resolve()
    : inTransaction(pool, (client) => changeDm1InTransaction(client, streamId, days, change));

/** Does the same as `changeDm1`, in the caller's transaction. */
export async function changeDm1InTransaction(
  client: Transaction,
  streamId: number,
  days: Dm1Days,
  change: (stored: Dm1Days) => Dm1Days,
): Promise<void> {
  if (!(await lockStream(client, streamId))) return;
  const stored = await readDm1(client, streamId, [...days.values()]);
  await replaceDm1(client, streamId, stored, change(stored));
}

/** Deletes the DM1 messages in a range, in the caller's transaction. @returns the deleted messages */
export async function removeDm1(client: Transaction, streamId: number, range: Range): Promise<Dm1Days> {
  if (!(await lockStream(client, streamId))) return new Map();
  const stored = await readDm1In(client, streamId, range);
  await replaceDm1(client, streamId, stored, dm1DaysOutside(stored, range));
  return dm1DaysInside(stored, range);
}

/**
 * Locks the stream's history until the transaction ends.
 * @returns false when the stream no longer exists
 */
const lockStream = async (client: Transaction, streamId: number): Promise<boolean> =>
  (await lockStreamStates(shardForStream(client, streamId), [streamId])).has(streamId);

const byKey = (rows: readonly Dm1Day[]): Dm1Days => new Map(rows.map((row) => [dm1DayKeyText(row), row]));

/** Returns the stored DM1 messages of these days. */
async function readDm1(client: Transaction, streamId: number, keys: readonly Dm1DayKey[]): Promise<Dm1Days> {
  const { rows } = await shardForStream(client, streamId).query<Dm1Day>(
    `select d.day, d.bus, d.source, d.states from unnest($2::integer[], $3::integer[], $4::integer[]) as k (day, bus, source)
       join telemetry.dm1_day d on d.stream_id = $1 and d.day = k.day and d.bus = k.bus and d.source = k.source`,
    [streamId, ...columnsOf(keys)],
  );
  return byKey(rows);
}

/** Returns the stored DM1 messages of the days that overlap a range. */
async function readDm1In(client: Transaction, streamId: number, { from, to }: Range): Promise<Dm1Days> {
  const { rows } = await shardForStream(client, streamId).query<Dm1Day>(
    'select day, bus, source, states from telemetry.dm1_day where stream_id = $1 and day >= $2 and day <= $3',
    [streamId, dayAt(from), dayAt(to)],
  );
  return byKey(rows);
}

/** Returns the day of a time in days since 1970, limited to the range of the column. */
const dayAt = (ms: number): number => Math.max(-1_000_000, Math.min(1_000_000, Math.floor(ms / DAY_MS)));

/**
 * Replaces days and recomputes the episodes. The caller has locked the stream.
 * @param before the stored days
 * @param after the new days; days that are absent from it are deleted
 */
async function replaceDm1(
  client: Transaction,
  streamId: number,
  before: Dm1Days,
  after: Dm1Days,
): Promise<void> {
  const shard = shardForStream(client, streamId);
  const gone = [...before].flatMap(([key, day]) => (after.has(key) ? [] : [day]));
  const changed = [...after.values()].filter(
    (day) => JSON.stringify(day.states) !== JSON.stringify(before.get(dm1DayKeyText(day))?.states),
  );
  if (gone.length > 0)
    await shard.query(
      `delete from telemetry.dm1_day d using unnest($2::integer[], $3::integer[], $4::integer[]) as k (day, bus, source)
       where d.stream_id = $1 and d.day = k.day and d.bus = k.bus and d.source = k.source`,
      [streamId, ...columnsOf(gone)],
    );
  if (changed.length > 0) await writeDays(shard, streamId, changed);
  for (const [bus, source, day] of firstDays([...gone, ...changed]))
    await recomputeEpisodes(shard, streamId, { bus, source, day });
}

const writeDays = (shard: Shard, streamId: number, days: readonly Dm1Day[]) =>
  shard.query(
    `insert into telemetry.dm1_day as d (stream_id, day, bus, source, states, digest)
     select $1, k.day, k.bus, k.source, k.states, k.digest
     from unnest($2::integer[], $3::integer[], $4::integer[], $5::jsonb[], $6::jsonb[]) as k (day, bus, source, states, digest)
     on conflict (stream_id, day, bus, source) do update set states = excluded.states, digest = excluded.digest`,
    [
      streamId,
      ...columnsOf(days),
      textArray(
        'jsonb',
        days.map(({ states }) => JSON.stringify(states)),
      ),
      textArray(
        'jsonb',
        days.map(({ day, states }) => JSON.stringify(summarizeDm1Day(day, states))),
      ),
    ],
  );

const columnsOf = (days: readonly Dm1DayKey[]) =>
  [
    integerArray(days.map(({ day }) => day)),
    integerArray(days.map(({ bus }) => bus)),
    integerArray(days.map(({ source }) => source)),
  ] as const;

/** Returns each ECU with the earliest of its days. */
function firstDays(days: readonly Dm1DayKey[]): (readonly [bus: number, source: number, day: number])[] {
  const first = new Map<number, number>();
  for (const { day, bus, source } of days) {
    const ecu = bus * 0x100 + source;
    first.set(ecu, Math.min(first.get(ecu) ?? day, day));
  }
  return [...first].map(([ecu, day]) => [Math.floor(ecu / 0x100), ecu % 0x100, day]);
}
