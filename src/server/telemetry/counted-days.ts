import { ofStream } from '#server/platform/cells.ts';
import type { Database } from '#server/platform/database.ts';
import { amsterdamDay, dayOf } from '#shared/domain/amsterdam-time.ts';
import type { Sums } from '#shared/domain/figures.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { SUM_COLUMNS } from './rollup-columns.ts';

/** The columns of `day_figures` that are sums of buckets; how long it charged though full is kept by session. */
const COLUMNS = new Map<keyof Sums, string>(
  SUM_COLUMNS.filter(({ name }) => name !== 'fullMs').map(({ name, column }) => [name, column]),
);

/**
 * Of `latest` l and `day_cursor` c: from when on something of a stream is to be counted, ms; null: all is counted. What a reading
 * changes lies up to ten minutes before it.
 */
export const UNCOUNTED = `date_part('epoch', least(
  (select min(from_time) from telemetry.changed_history h where h.stream_id = l.stream_id),
  case when c.counted_at is distinct from l.updated_at then c.time end,
  l.recompute_from)) * 1000`;

export type CountedDays<N extends keyof Sums> = {
  /** From one midnight in Amsterdam to another, ms. */
  readonly range: Range;
  /** 'YYYY-MM-DD' and its sums, of those days of the range that have any. */
  readonly days: readonly (readonly [day: string, sums: Pick<Sums, N>])[];
};

/**
 * The whole days in a range of one owner's, before the newest reading and up to the first of which something may have changed
 * since it was counted: a row each, instead of 288 buckets. What was counted of later days is of readings that another definition
 * took away.
 * @returns undefined: there are none, one of them had two owners, or not all that is asked is kept of each
 */
export async function countedDays<N extends keyof Sums>(
  db: Database,
  streamId: number,
  { from, to }: Range,
  names: readonly N[],
): Promise<CountedDays<N> | undefined> {
  const start = dayOf(amsterdamDay(from - 1))?.to ?? to;
  if (start >= to || !names.every((name) => COLUMNS.has(name))) return undefined;
  const { rows } = await ofStream(db, streamId).query<Row & Pick<Sums, N>>(
    `select least(${UNCOUNTED}, date_part('epoch', l.time) * 1000) as uncounted, day::text, num_nulls(${names.map((name) => COLUMNS.get(name))}) as missing,
       ${names.map((name) => `${COLUMNS.get(name)}::float8 as "${name}"`)}
     from telemetry.latest l join telemetry.day_cursor c on c.stream_id = l.stream_id
       left join telemetry.day_figures d on d.stream_id = l.stream_id and project_id = 0 and day >= $2 and day < $3
     where l.stream_id = $1 order by day`,
    [streamId, amsterdamDay(start), amsterdamDay(to)],
  );
  const known = Math.min(to, (rows[0]?.uncounted ?? 0) - 2 * MAX_GAP_MS);
  const end = known > start ? amsterdamDay(known) : amsterdamDay(start);
  const days = rows.filter(({ day }) => day !== null && day < end);
  // Two of one day: it had two owners.
  const isWhole = days.every(({ day, missing }, n) => missing === 0 && day !== days[n + 1]?.day);
  const range = { from: start, to: dayOf(end)?.from ?? start };
  if (!isWhole || range.from >= range.to) return undefined;
  return { range, days: days.map(({ day, ...sums }) => [day as string, sums as unknown as Pick<Sums, N>]) };
}

type Row = { readonly uncounted: number; readonly day: string | null; readonly missing: number };
