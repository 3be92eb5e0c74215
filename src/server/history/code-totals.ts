import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import type { CodeIntervals } from './code-intervals.ts';
import { nearOf } from './rail-slots.ts';
import type { Segment } from './range.ts';

type CodeTime = { readonly value: number; readonly ms: number };

/**
 * Returns the time in ms for which each code of the machine's status was valid in the segments, and for which none was
 * (docs/figures.md section 8).
 * @param parts slots of all readings; a sample would not be enough
 */
export async function codeTotals(
  db: Database,
  streamId: number,
  parts: readonly CodeIntervals[],
): Promise<NonNullable<LmbData['totals']>> {
  const cached = new Map<number, number>();
  let noDataMs = 0;
  for (const { segment, intervals, all } of parts) {
    noDataMs += segment.to - segment.from;
    const found = all
      ? intervals.map(({ value, from, to }) => ({ value, ms: to - from }))
      : await readCodeTimes(db, streamId, segment);
    for (const { value, ms } of found.filter((one) => one.ms > 0)) {
      cached.set(value, (cached.get(value) ?? 0) + ms);
      noDataMs -= ms;
    }
  }
  const codes = [...cached].map(([value, ms]) => ({ value, ms })).sort((a, b) => a.value - b.value);
  return { codes, noDataMs };
}

/** Fallback for segments with too many intervals: totals from SQL. */
async function readCodeTimes(db: Database, streamId: number, segment: Segment): Promise<CodeTime[]> {
  const near = nearOf(segment);
  const { rows } = await ofStream(db, streamId).query<CodeTime>(
    `select value, round(sum(extract(epoch from least(next, $5) - greatest(time, $4)) * 1000))::float8 as ms from (
       select time, machinestatus as value, lead(time) over (order by time) as next from telemetry.reading
       where stream_id = $1 and time >= $2 and time < $3 and machinestatus is not null
     ) as step
     where next - time <= interval '${MAX_GAP_MS} ms' and next > $4 and time < $5 group by value`,
    [streamId, ...[near.from, near.to, segment.from, segment.to].map((time) => new Date(time))],
  );
  return rows;
}
