import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { LOOKED_UP, lookUpValues, msOf } from './look-ups.ts';
import { type CodeColumn, nearOf, type RailSlot, type SlotsOfSegment } from './rail-slots.ts';
import type { Segment } from './range.ts';

/** A code held from one instant to another, ms. */
export type Stretch = { readonly value: number; readonly from: number; readonly to: number };

/** Of a segment; `all` of them, or one code for each bucket. */
export type Stretches = {
  readonly segment: Segment;
  readonly stretches: readonly Stretch[];
  readonly all: boolean;
};

/**
 * The stretches of a segment in which a code held (LOG-06): until the next reading that has one, or, when that is more
 * than 5 minutes away, until the last reading that said so; codes that no legend knows too. Where that would be more
 * than `most`, one code per bucket: the one that was reported most often.
 */
export async function codeStretches(
  db: Database,
  streamId: number,
  { segment, slots, most: ofSlot }: SlotsOfSegment,
  code: CodeColumn,
  { most, bucketMs }: { most: number; bucketMs: number },
): Promise<Stretches> {
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
  const stretches = all
    ? found
    : mostReported([...known, ...(await readReported(db, streamId, code, values, bucketMs))], bucketMs);
  return { segment, stretches: stretches.flatMap((stretch) => cut(stretch, segment)), all };
}

function cut({ value, from, to }: Stretch, range: Segment): Stretch[] {
  const [start, stop] = [Math.max(from, range.from), Math.min(to, range.to)];
  // What ended before the range, or begins after it, was read for its neighbours only.
  if (start > stop || from >= range.to || (to <= range.from && from < range.from)) return [];
  return [{ value, from: start, to: stop }];
}

/** The first or the last reading of a stretch in a slot; `before`: the one before it in the slot, ms. */
type Step = {
  readonly value: number;
  readonly ms: number;
  readonly before: number | null;
  readonly changed: boolean;
};

/** The stretches inside each of the slots. @returns undefined: they have more than `limit` beginnings and ends */
async function readChanges(
  db: Database,
  streamId: number,
  code: CodeColumn,
  values: readonly unknown[],
  limit: number,
): Promise<Stretch[] | undefined> {
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

/** How often a code was reported in a bucket, and when first and last. */
type Reported = Stretch & { readonly count: number };

/** Of each bucket the code that was reported most often, of equals the lowest. */
function mostReported(reported: readonly Reported[], bucketMs: number): Stretch[] {
  const buckets = Map.groupBy(reported, ({ from }) => Math.floor(from / bucketMs));
  const pieces = [...buckets.values()].map((inside): Stretch => {
    const counts = new Map<number, number>();
    for (const { value, count } of inside) counts.set(value, (counts.get(value) ?? 0) + count);
    const [first] = [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b);
    return {
      value: first?.[0] as number,
      from: Math.min(...inside.map(({ from }) => from)),
      to: Math.max(...inside.map(({ to }) => to)),
    };
  });
  return joined(pieces.sort((a, b) => a.from - b.from));
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

/** What held between pieces: a code does until the next reading that has one, if that is not too far away. */
function joined(pieces: readonly Stretch[]): Stretch[] {
  const stretches: { value: number; from: number; to: number }[] = [];
  for (const piece of pieces) {
    const last = stretches.at(-1);
    const follows = last !== undefined && piece.from - last.to <= MAX_GAP_MS;
    if (follows) last.to = piece.from;
    if (follows && last.value === piece.value) last.to = piece.to;
    else stretches.push({ ...piece });
  }
  return stretches;
}
