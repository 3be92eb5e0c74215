import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { LOOKED_UP, lookUpValues, msOf } from './look-ups.ts';
import { type CodeColumn, nearOf, type RailSlot, type SlotsOfSegment } from './rail-slots.ts';
import type { Segment } from './range.ts';

/** The interval (ms) in which a code was valid. */
export type CodeInterval = { readonly value: number; readonly from: number; readonly to: number };

/** Intervals of a segment; `all` is false when they are one code for each bucket instead of all intervals. */
export type CodeIntervals = {
  readonly segment: Segment;
  readonly intervals: readonly CodeInterval[];
  readonly all: boolean;
};

/**
 * Returns the intervals of a segment in which a code was valid (LOG-06): until the next reading with a code or, when
 * that is more than 5 minutes away, until the last reading with the same code. Includes codes that no legend contains.
 * If there would be more than `most` intervals, returns one code per bucket: the one that was reported most often.
 */
export async function codeIntervals(
  db: Database,
  streamId: number,
  { segment, slots, most: ofSlot }: SlotsOfSegment,
  code: CodeColumn,
  { most, bucketMs }: { most: number; bucketMs: number },
): Promise<CodeIntervals> {
  const known: Reported[] = [];
  const changing: RailSlot[] = [];
  for (const slot of slots) {
    const [from, to, value] = [slot[`${code}_first`], slot[`${code}_last`], slot[`${code}_low`]];
    if (from === null || to === null || value === null) continue;
    const isOne = value === slot[`${code}_high`] && to - from <= MAX_GAP_MS;
    if (isOne) known.push({ value, from, to, count: slot[`${code}_count`] });
    else changing.push(slot);
  }
  const values = lookUpValues(streamId, nearOf(segment), { slots: changing, most: ofSlot });
  const changes =
    changing.length > 0 ? await readChanges(db, streamId, code, values, 2 * changing.length + most) : [];
  const found = changes && joined([...known, ...changes].sort((a, b) => a.from - b.from));
  const all = found !== undefined && found.length <= most;
  const intervals = all
    ? found
    : mostReported([...known, ...(await readReported(db, streamId, code, values, bucketMs))], bucketMs);
  return { segment, intervals: intervals.flatMap((interval) => cut(interval, segment)), all };
}

function cut({ value, from, to }: CodeInterval, range: Segment): CodeInterval[] {
  const [start, stop] = [Math.max(from, range.from), Math.min(to, range.to)];
  // An interval that ended before the range, or begins after it, was read only for its neighbours.
  if (start > stop || from >= range.to || (to <= range.from && from < range.from)) return [];
  return [{ value, from: start, to: stop }];
}

/** The first or the last reading of an interval in a slot; `before`: time of the previous reading in the slot, in ms. */
type Step = {
  readonly value: number;
  readonly ms: number;
  readonly before: number | null;
  readonly changed: boolean;
};

/**
 * Returns the intervals inside each of the slots.
 * @returns undefined when they have more than `limit` beginnings and ends
 */
async function readChanges(
  db: Database,
  streamId: number,
  code: CodeColumn,
  values: readonly unknown[],
  limit: number,
): Promise<CodeInterval[] | undefined> {
  const { rows } = await ofStream(db, streamId).query<Step>(
    `select value, ${msOf('time')} as ms, ${msOf('before')} as before, changed from (
       select *, value is distinct from was or time - before > interval '${MAX_GAP_MS} ms' as changed from (
         select time, ${code} as value, lag(time) over w as before, lag(${code}) over w as was,
           lead(time) over w is null as last
         from ${LOOKED_UP} where ${code} is not null
         window w as (partition by slot.from_time order by time)
       ) as step
     ) as step where changed or last order by time limit $7`,
    [...values, limit + 1],
  );
  if (rows.length > limit) return undefined;
  return rows.flatMap(({ value, ms, changed }, n) => {
    if (!changed) return [];
    const next = rows[n + 1];
    return [{ value, from: ms, to: next?.changed === false ? next.ms : (next?.before ?? ms) }];
  });
}

/** Number of times that a code was reported in a bucket, and the first and last time. */
type Reported = CodeInterval & { readonly count: number };

/** Returns for each bucket the code that was reported most often; the lowest one if several were. */
function mostReported(reported: readonly Reported[], bucketMs: number): CodeInterval[] {
  const buckets = Map.groupBy(reported, ({ from }) => Math.floor(from / bucketMs));
  const slices = [...buckets.values()].map((inside): CodeInterval => {
    const counts = new Map<number, number>();
    for (const { value, count } of inside) counts.set(value, (counts.get(value) ?? 0) + count);
    const [first] = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b);
    return {
      value: first?.[0] as number,
      from: Math.min(...inside.map(({ from }) => from)),
      to: Math.max(...inside.map(({ to }) => to)),
    };
  });
  return joined(slices.sort((a, b) => a.from - b.from));
}

async function readReported(
  db: Database,
  streamId: number,
  code: CodeColumn,
  values: readonly unknown[],
  bucketMs: number,
): Promise<Reported[]> {
  const { rows } = await ofStream(db, streamId).query<Reported>(
    `select ${code} as value, count(*)::float8, ${msOf('min(time)')} as "from", ${msOf('max(time)')} as "to"
     from ${LOOKED_UP} where ${code} is not null group by 1, date_bin($7::interval, time, 'epoch')`,
    [...values, `${bucketMs / 1000} seconds`],
  );
  return rows;
}

/** Joins intervals: a code is valid until the next reading with a code, unless that is too far away. */
function joined(slices: readonly CodeInterval[]): CodeInterval[] {
  const intervals: { value: number; from: number; to: number }[] = [];
  for (const slice of slices) {
    const last = intervals.at(-1);
    const follows = last !== undefined && slice.from - last.to <= MAX_GAP_MS;
    if (follows) last.to = slice.from;
    if (follows && last.value === slice.value) last.to = slice.to;
    else intervals.push({ ...slice });
  }
  return intervals;
}
