import type { Database } from '#server/platform/database.ts';
import { telemetryTables } from '#server/streams/telemetry-tables.ts';
import type { DayChart } from '#shared/contract/history.ts';
import { BUCKET_MS, MAX_GAP_MS } from '#shared/domain/intervals.ts';
import { RUNNING_ABOVE_RPM } from '#shared/domain/machine-status.ts';
import { cutOf, type Segment } from './range.ts';

const { reading, rollup } = telemetryTables();

type Band = DayChart['bands'][number];
/** From this instant, ms, on: until the next row's. */
type Change = { readonly ms: number; readonly running: boolean; readonly charging: boolean };
const KINDS = ['running', 'charging'] as const;
/** More than a screen can show: then gaps that are narrower than a bucket of the chart close. */
const MOST_BANDS = 2_000;

/**
 * When the machine ran or charged, by the rule of intervals: a state holds until the next reading, and not at all when
 * that is more than 5 minutes away. `exact`: from the readings; else from the roll-up, as fine as its buckets or
 * the chart's.
 */
export async function readBands(
  db: Database,
  streamId: number,
  segments: readonly Segment[],
  bucketMs: number,
  exact: boolean,
): Promise<Band[]> {
  const parts = await Promise.all(
    segments.map(async (segment) => {
      const changes = exact
        ? await readChanges(db, streamId, segment)
        : await readRolledChanges(db, streamId, segment, Math.max(bucketMs, BUCKET_MS));
      return KINDS.flatMap((kind) => bandsOf(kind, changes, segment));
    }),
  );
  const all = parts.flat();
  const bands =
    all.length > MOST_BANDS ? KINDS.flatMap((kind) => closeGaps(all, kind, bucketMs / 1000)) : all;
  return bands.sort((a, b) => a.from - b.from || a.kind.localeCompare(b.kind));
}

function bandsOf(kind: Band['kind'], changes: readonly Change[], { from, to }: Segment): Band[] {
  const bands: Band[] = [];
  let since: number | undefined;
  const end = (ms: number): void => {
    if (since === undefined) return;
    const band = { kind, from: Math.max(since, from) / 1000, to: Math.min(ms, to) / 1000 };
    if (band.from < band.to) bands.push(band);
    since = undefined;
  };
  for (const change of changes) {
    if (!change[kind]) end(change.ms);
    else since ??= change.ms;
  }
  end(to);
  return bands;
}

function closeGaps(bands: readonly Band[], kind: Band['kind'], seconds: number): Band[] {
  const closed: { kind: Band['kind']; from: number; to: number }[] = [];
  for (const band of bands) {
    if (band.kind !== kind) continue;
    const last = closed.at(-1);
    if (last && band.from - last.to < seconds) last.to = band.to;
    else closed.push({ ...band });
  }
  return closed;
}

/** Where running or charging begins or ends. The last reading of a stretch without gaps ends both. */
async function readChanges(db: Database, streamId: number, { from, to, own }: Segment): Promise<Change[]> {
  const { rows } = await db.query<Change>(
    `select date_part('epoch', time) * 1000 as ms, running, charging from (
       select *, lag(running) over w as ran, lag(charging) over w as charged from (
         select time, coalesce(motor_speed > ${RUNNING_ABOVE_RPM} and lasts, false) as running,
           coalesce(is_charging_state(is_charging, charging_current) and lasts, false) as charging
         from (
           select *, lead(time) over (order by time) - time <= interval '${MAX_GAP_MS} ms' as lasts
           from ${reading} where stream_id = $1 and time >= $2 and time < $3
         ) as reading
       ) as state window w as (order by time)
     ) as step
     where running is distinct from ran or charging is distinct from charged
     order by time`,
    [
      streamId,
      new Date(Math.max(from - MAX_GAP_MS, own.from)),
      new Date(Math.min(to + MAX_GAP_MS + 1, own.to)),
    ],
  );
  return rows;
}

async function readRolledChanges(
  db: Database,
  streamId: number,
  segment: Segment,
  cellMs: number,
): Promise<Change[]> {
  const { whole } = cutOf(segment);
  if (!whole) return [];
  const { rows } = await db.query<Change>(
    `select date_part('epoch', date_bin($4::interval, bucket, 'epoch')) * 1000 as ms,
       sum(running_ms) > 0 as running, sum(charged_j) > 0 as charging
     from ${rollup} where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1 order by 1`,
    [streamId, new Date(whole.from), new Date(whole.to), `${cellMs / 1000} seconds`],
  );
  // A cell that is missing has no readings.
  return rows.flatMap((row, n) => {
    const end = row.ms + cellMs;
    return rows[n + 1]?.ms === end ? [row] : [row, { ms: end, running: false, charging: false }];
  });
}
