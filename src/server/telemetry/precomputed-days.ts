import type { Database, Transaction } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { AMSTERDAM, amsterdamDay, amsterdamDayRange } from '#shared/domain/amsterdam-time.ts';
import type { Sums } from '#shared/domain/figures.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { SUM_COLUMNS } from './rollup-columns.ts';

/** The columns of `day_figures` that are sums of buckets. The time of charging while full is stored by session instead. */
const COLUMNS = SUM_COLUMNS.filter(({ name }) => name !== 'fullMs').map(
  ({ name, column }) => [name, column] as const,
);

/**
 * SQL expression on `latest` l and `day_cursor` c: the time in ms from which the precomputed figures of a stream may be outdated;
 * null when all figures are up to date. A reading affects figures from at most ten minutes before it.
 */
export const OUTDATED_FROM_SQL = `date_part('epoch', least(
  (select min(from_time) from telemetry.changed_history h where h.stream_id = l.stream_id),
  case when c.counted_at is distinct from l.updated_at then c.time end,
  l.recompute_from)) * 1000 - ${2 * MAX_GAP_MS}`;

export type PrecomputedDays<N extends keyof Sums> = {
  /** The time of the days, from one midnight in Amsterdam to another, in ms. */
  readonly range: Range;
  /** Pairs of a day ('YYYY-MM-DD') and its sums, for the days of the range that have sums. */
  readonly days: readonly (readonly [day: string, sums: Pick<Sums, N>])[];
};

/**
 * Returns precomputed sums for the whole days in a range of one owner, up to the first day that may have changed since it was
 * computed: one row per day, instead of 288 buckets.
 * @returns undefined when there are no such days, when one of the days had two owners, or when a requested sum is not stored by day
 */
export async function precomputedDays<N extends keyof Sums>(
  db: Database,
  streamId: number,
  { from, to }: Range,
  names: readonly N[],
): Promise<PrecomputedDays<N> | undefined> {
  const start = amsterdamDayRange(amsterdamDay(from - 1))?.to ?? to;
  const columns = COLUMNS.filter(([name]) => names.includes(name as N));
  if (start >= to || columns.length < names.length) return undefined;
  const { rows } = await shardForStream(db, streamId).query<Row & Pick<Sums, N>>(
    `select uncounted, day::text, ${columns.map(([name, column]) => `${column}::float8 as "${name}"`).join(', ')}
     from (
       -- Computed once, not for every day.
       select coalesce(${OUTDATED_FROM_SQL}, 'infinity') as uncounted
       from telemetry.latest l join telemetry.day_cursor c on c.stream_id = l.stream_id where l.stream_id = $1 offset 0
     ) as known
     left join telemetry.day_figures on stream_id = $1 and project_id = 0 and day >= $2 and day < $3
     order by day`,
    [streamId, amsterdamDay(start), amsterdamDay(to)],
  );
  const known = Math.min(to, rows[0]?.uncounted ?? start);
  const end = amsterdamDay(Math.max(start, known));
  const days = rows.filter(({ day }) => day !== null && day < end);
  // Two rows for one day mean that it had two owners.
  const isWhole = days.every(({ day }, n) => day !== days[n + 1]?.day);
  const range = { from: start, to: amsterdamDayRange(end)?.from ?? start };
  if (!isWhole || range.from >= range.to) return undefined;
  return { range, days: days.map(({ day, ...sums }) => [day as string, sums as unknown as Pick<Sums, N>]) };
}

type Row = { readonly uncounted: number; readonly day: string | null };

/**
 * Deletes the precomputed figures after the stream's last bucket, and marks the days from there on to be computed again, after the
 * newest readings of the stream were deleted. Runs in the transaction that deleted those readings.
 */
export async function deleteLaterDays(client: Transaction, streamId: number): Promise<void> {
  const shard = shardForStream(client, streamId);
  const last = `(select coalesce(max(bucket), '-infinity') from telemetry.rollup where stream_id = $1)`;
  // Runs first, so that no other process computes these days meanwhile.
  await shard.query(`update telemetry.day_cursor set time = least(time, ${last}) where stream_id = $1`, [
    streamId,
  ]);
  await shard.query(
    `delete from telemetry.day_figures where stream_id = $1 and day > (${last} at time zone '${AMSTERDAM}')::date`,
    [streamId],
  );
  for (const table of ['presence', 'terrein_presence', 'charging_session'])
    await shard.query(`delete from telemetry.${table} where stream_id = $1 and from_time > ${last}`, [
      streamId,
    ]);
}
