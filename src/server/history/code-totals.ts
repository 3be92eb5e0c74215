import { ofStream } from '#server/platform/cells.ts';
import type { Database } from '#server/platform/database.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { valuesNear } from './code-stretches.ts';
import { LOOKED_UP, type LookUps } from './look-ups.ts';
import type { Segment } from './range.ts';

/**
 * How long each code of the machine's status held in the segments, ms, by code; and how long none did
 * (docs/figures.md section 8).
 * @param lookUps all readings of the segments: of a sample it would be too little
 */
export async function codeTotals(
  db: Database,
  streamId: number,
  segments: readonly Segment[],
  lookUps: LookUps,
): Promise<NonNullable<LmbData['totals']>> {
  const held = new Map<number, number>();
  let noDataMs = 0;
  for (const segment of segments) {
    noDataMs += segment.to - segment.from;
    const { rows } = await ofStream(db, streamId).query<{ value: number; ms: number }>(
      `select value, round(sum(extract(epoch from least(next, $8) - greatest(time, $7)) * 1000))::float8 as ms from (
         select time, machinestatus as value, lead(time) over (order by time) as next
         from ${LOOKED_UP} where machinestatus is not null
       ) as step
       where next - time <= interval '${MAX_GAP_MS} ms' and next > $7 and time < $8 group by value`,
      [...valuesNear(streamId, segment, lookUps), new Date(segment.from), new Date(segment.to)],
    );
    for (const { value, ms } of rows) {
      held.set(value, (held.get(value) ?? 0) + ms);
      noDataMs -= ms;
    }
  }
  const codes = [...held].map(([value, ms]) => ({ value, ms })).sort((a, b) => a.value - b.value);
  return { codes, noDataMs };
}
