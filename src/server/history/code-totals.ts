import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { MAX_GAP_MS } from '#shared/domain/intervals.ts';
import type { Stretches } from './code-stretches.ts';
import { nearOf } from './rail-slots.ts';
import type { Segment } from './range.ts';

type Held = { readonly value: number; readonly ms: number };

/**
 * How long each code of the machine's status held in the segments, ms, by code; and how long none did
 * (docs/figures.md section 8).
 * @param parts of all readings: of a sample it would be too little
 */
export async function codeTotals(
  db: Database,
  streamId: number,
  parts: readonly Stretches[],
): Promise<NonNullable<LmbData['totals']>> {
  const held = new Map<number, number>();
  let noDataMs = 0;
  for (const { segment, stretches, all } of parts) {
    noDataMs += segment.to - segment.from;
    const found = all
      ? stretches.map(({ value, from, to }) => ({ value, ms: to - from }))
      : await readQuarantined(db, streamId, segment);
    for (const { value, ms } of found.filter((one) => one.ms > 0)) {
      held.set(value, (held.get(value) ?? 0) + ms);
      noDataMs -= ms;
    }
  }
  const codes = [...held].map(([value, ms]) => ({ value, ms })).sort((a, b) => a.value - b.value);
  return { codes, noDataMs };
}

/** The same of a segment whose stretches are too many. */
async function readQuarantined(db: Database, streamId: number, segment: Segment): Promise<Held[]> {
  const near = nearOf(segment);
  const { rows } = await ofStream(db, streamId).query<Held>(
    `select value, round(sum(extract(epoch from least(next, $5) - greatest(time, $4)) * 1000))::float8 as ms from (
       select time, machinestatus as value, lead(time) over (order by time) as next from telemetry.reading
       where stream_id = $1 and time >= $2 and time < $3 and machinestatus is not null
     ) as step
     where next - time <= interval '${MAX_GAP_MS} ms' and next > $4 and time < $5 group by value`,
    [streamId, ...[near.from, near.to, segment.from, segment.to].map((time) => new Date(time))],
  );
  return rows;
}
