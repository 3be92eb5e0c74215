import { ofStream } from '#server/platform/cells.ts';
import type { Database } from '#server/platform/database.ts';
import type { OwnHistory } from '#server/streams/scope.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { LOOKED_UP, type LookUps, lookUpValues } from './look-ups.ts';
import { type Segment, segmentsOf } from './range.ts';

export type CodeColumn = 'machinestatus' | 'spoor' | 'spoorstand';
type Point = LmbData['spoor'][number];
/** A code held from one instant to another, ms. */
type Stretch = { readonly value: number; readonly from: number; readonly to: number };

/**
 * The stretches of a range in which a code held (LOG-06): until the next reading that has one, or, when that is more
 * than 5 minutes away, until the last reading that said so; codes that no legend knows too. Where that would be more
 * than `most`, one code per bucket: the one that was reported most often.
 */
export async function codeStretches(
  db: Database,
  { streamId, own }: OwnHistory,
  range: Range,
  column: CodeColumn,
  { most, bucketMs, lookUps }: { most: number; bucketMs: number; lookUps: LookUps },
): Promise<Point[]> {
  const points: Point[] = [];
  for (const segment of segmentsOf(range, own)) {
    const values = valuesNear(streamId, segment, lookUps);
    const stretches =
      (await readStretches(db, streamId, values, column, most)) ??
      (await readBuckets(db, streamId, values, column, bucketMs));
    points.push(...stretches.flatMap((stretch) => pointOf(stretch, segment)));
  }
  return points;
}

function pointOf({ value, from, to }: Stretch, range: Range): Point[] {
  const [start, stop] = [Math.max(from, range.from), Math.min(to, range.to)];
  // What ended before the range, or begins after it, was read for its neighbours only.
  if (start > stop || from >= range.to || (to <= range.from && from < range.from)) return [];
  const [_start, _stop] = [new Date(start).toISOString(), new Date(stop).toISOString()];
  return [{ _time: _start, _value: value, _start, _stop }];
}

type ChangeRow = { ms: number; value: number; before: number | null; changed: boolean };

/** undefined: more than `most`. */
async function readStretches(
  db: Database,
  streamId: number,
  values: unknown[],
  column: CodeColumn,
  most: number,
): Promise<Stretch[] | undefined> {
  const { rows } = await ofStream(db, streamId).query<ChangeRow>(
    `select date_part('epoch', time) * 1000 as ms, value, date_part('epoch', before) * 1000 as before, changed from (
       select time, value, before, value is distinct from was or time - before > interval '${MAX_GAP_MS} ms' as changed, last
       from (
         select time, ${column} as value, lag(time) over w as before, lag(${column}) over w as was,
           lead(time) over w is null as last
         from ${LOOKED_UP} where ${column} is not null
         window w as (order by time)
       ) as step
     ) as step where changed or last order by time limit $7`,
    [...values, most + 2],
  );
  const last = rows.at(-1);
  if (!last) return [];
  if (rows.filter(({ changed }) => changed).length > most) return undefined;
  return rows.flatMap(({ ms, value, changed }, n) => {
    if (!changed) return [];
    const next = rows[n + 1];
    return [{ value, from: ms, to: next ? endBefore(next) : ms }];
  });
}

/** Where a stretch ends that is followed by this row: at it, at the reading before a gap, or at the last reading. */
const endBefore = ({ ms, before }: ChangeRow): number =>
  before !== null && ms - before > MAX_GAP_MS ? before : ms;

async function readBuckets(
  db: Database,
  streamId: number,
  values: unknown[],
  column: CodeColumn,
  bucketMs: number,
): Promise<Stretch[]> {
  const { rows } = await ofStream(db, streamId).query<Stretch>(
    `select mode() within group (order by ${column}) as value, date_part('epoch', min(time)) * 1000 as "from",
       date_part('epoch', max(time)) * 1000 as "to"
     from ${LOOKED_UP} where ${column} is not null
     group by date_bin($7::interval, time, 'epoch') order by 2`,
    [...values, `${bucketMs / 1000} seconds`],
  );
  const stretches: { value: number; from: number; to: number }[] = [];
  for (const row of rows) {
    const last = stretches.at(-1);
    const follows = last !== undefined && row.from - last.to <= MAX_GAP_MS;
    if (follows) last.to = row.from;
    if (follows && last.value === row.value) last.to = row.to;
    else stretches.push({ ...row });
  }
  return stretches;
}

/** $1 to $6 of LOOKED_UP: the segment with what an interval reaches out of it. The other owner's readings stay out. */
export function valuesNear(streamId: number, { from, to, own }: Segment, lookUps: LookUps): unknown[] {
  const near = { from: Math.max(from - MAX_GAP_MS, own.from), to: Math.min(to + MAX_GAP_MS + 1, own.to) };
  return lookUpValues(streamId, near, lookUps.most === null ? { slots: [near], most: null } : lookUps);
}
