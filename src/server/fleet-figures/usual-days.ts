import type { Database } from '#server/platform/database.ts';
import { decodeDoubleArray } from '#server/platform/sent-doubles.ts';
import { runInShardsOfStreams } from '#server/platform/shards.ts';
import { packStatisticSql } from '#server/telemetry/rollup-columns.ts';
import { amsterdamDay, amsterdamDayRange, nextDay } from '#shared/domain/amsterdam-time.ts';
import type { Range } from '#shared/domain/intervals.ts';
import { MAX_PACK_COUNT } from '#shared/domain/packs.ts';
import {
  type LevelBucket,
  previousSameWeekdays,
  type UsualLevelChanges,
  usualLevelChangesOn,
} from '#shared/domain/usual-day.ts';

/** A stream and its present ownership. */

export type OwnedStream = {
  readonly streamId: number;
  /** Beginning of the ownership in ms; earlier history belongs to another owner. */
  readonly ownedSince: number;
};

type Read = { readonly usual: UsualLevelChanges | undefined; readonly at: number };
/** Cached usual days, by 'stream ownedSince day'. */
export type UsualDaysCache = Map<string, Read>;

/** Maximum number of machines that one call reads; for a larger fleet, the next calls read the remaining machines. */
const MAX_MACHINES_PER_READ = 1_000;
/** Usual days are read again after this time, because history of past weeks may arrive late. */
const READ_AGAIN_MS = 60 * 60_000;
/** A missing usual day, for which there was too little history, is read again after this time. */
const UNKNOWN_AGAIN_MS = 10 * 60_000;

const isRead = (read: Read | undefined, now: number): boolean =>
  read !== undefined && now - read.at < (read.usual ? READ_AGAIN_MS : UNKNOWN_AGAIN_MS);

const keyOf = ({ streamId, ownedSince }: OwnedStream, day: string): string =>
  `${streamId} ${ownedSince} ${day}`;

/**
 * Returns the usual days of today and tomorrow by stream, in order; no usual day for a day with too little history.
 * @param known cache; this call adds to it and removes past days
 * @param now ms
 * @param until ms; days that begin later are left out
 */
export async function readUsualDays(
  db: Database,
  known: UsualDaysCache,
  machines: readonly OwnedStream[],
  now: number,
  until: number,
): Promise<Map<number, readonly UsualLevelChanges[]>> {
  const today = amsterdamDay(now);
  const days = [today, nextDay(today)].filter((day) => (amsterdamDayRange(day)?.from ?? until) < until);
  for (const key of known.keys()) if (key.slice(-today.length) < today) known.delete(key);
  for (const day of days) {
    const unknown = machines
      .filter((machine) => !isRead(known.get(keyOf(machine, day)), now))
      .slice(0, MAX_MACHINES_PER_READ);
    const slices = await readWeekdays(db, unknown, day);
    const usualDay = usualLevelChangesOn(day);
    for (const machine of unknown) {
      const own = (slices.get(machine.streamId) ?? []).filter(({ time }) => time >= machine.ownedSince);
      known.set(keyOf(machine, day), { usual: usualDay(own), at: now });
    }
  }
  return new Map(
    machines.map((machine) => [
      machine.streamId,
      days.flatMap((day) => known.get(keyOf(machine, day))?.usual ?? []),
    ]),
  );
}

/** Reads the charge levels of the four days before `day` that are the same weekday, by stream. */
async function readWeekdays(
  db: Database,
  machines: readonly OwnedStream[],
  day: string,
): Promise<Map<number, LevelBucket[]>> {
  if (machines.length === 0) return new Map();
  const ranges = previousSameWeekdays(day).flatMap((past) => amsterdamDayRange(past) ?? []);
  return readLevels(
    db,
    machines.map(({ streamId }) => streamId),
    ranges,
  );
}

const LEVEL = `(${packs((sum, count) => `coalesce(${sum} / nullif(${count}, 0), 0)`)})
  / nullif(${packs((_, count) => `(coalesce(${count}, 0) > 0)::int`)}, 0) / 1000`;

function packs(term: (sum: string, count: string) => string): string {
  return Array.from({ length: MAX_PACK_COUNT }, (_, pack) =>
    term(packStatisticSql(pack, 'sumMilli'), packStatisticSql(pack, 'count')),
  ).join(' + ');
}

/** SQL expressions for the fields of a LevelBucket, over the columns of the roll-up `r`. */
export const LEVEL_BUCKET_COLUMNS_SQL = ["date_part('epoch', r.bucket) * 1000", LEVEL, 'r.running_ms'];

/** Returns the charge level and running time of each bucket in some ranges, by stream, in chronological order. */
export async function readLevels(
  db: Database,
  streamIds: readonly number[],
  ranges: readonly Range[],
): Promise<Map<number, LevelBucket[]>> {
  const numbers = await readBucketExpressions(db, streamIds, ranges, LEVEL_BUCKET_COLUMNS_SQL);
  return new Map([...numbers].map(([streamId, columns]) => [streamId, levelBuckets(columns)]));
}

/** Returns the buckets of one stream. @param columns values of LEVEL_BUCKET_COLUMNS_SQL, by bucket */
export const levelBuckets = ([times, percents, running]: readonly Float64Array[]): LevelBucket[] =>
  Array.from(times ?? [], (time, n) => ({
    time,
    percent: Number.isNaN(percents?.[n]) ? undefined : percents?.[n],
    runningMs: running?.[n] ?? 0,
  }));

/**
 * Returns the values of SQL expressions for each bucket in some ranges, by stream, in chronological order.
 * @param numbers SQL expressions on the columns of the roll-up `r`
 * @returns an array per expression; NaN for null
 */
export async function readBucketExpressions(
  db: Database,
  streamIds: readonly number[],
  ranges: readonly Range[],
  numbers: readonly string[],
): Promise<Map<number, Float64Array[]>> {
  const columns = numbers.map(
    // Binary arrays of doubles: sending and parsing a month of a fleet as text is slow.
    (sql, n) => `array_send(array_agg(coalesce((${sql})::float8, 'nan') order by r.bucket)) as c${n}`,
  );
  const rows = await runInShardsOfStreams(db, streamIds, (shard, own) =>
    shard.query<{ id: number } & Readonly<Record<`c${number}`, Buffer>>>(
      `select s.id, ${columns.join(', ')}
       from unnest($1::integer[]) as s (id) cross join unnest($2::timestamptz[], $3::timestamptz[]) as d (from_time, to_time)
         join telemetry.rollup r on r.stream_id = s.id and r.bucket >= d.from_time and r.bucket < d.to_time
           and r.bucket >= $4 and r.bucket < $5
       group by s.id`,
      [
        own,
        ranges.map(({ from }) => new Date(from)),
        ranges.map(({ to }) => new Date(to)),
        new Date(Math.min(...ranges.map(({ from }) => from))),
        new Date(Math.max(...ranges.map(({ to }) => to))),
      ],
    ),
  );
  return new Map(
    rows.map((row) => [row.id, numbers.map((_, n) => decodeDoubleArray(row[`c${n}`] as Buffer))]),
  );
}
