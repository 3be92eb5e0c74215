import type { Database } from '#server/platform/database.ts';
import { shardForStream } from '#server/platform/shards.ts';
import { readReadingsInRanges } from '#server/telemetry/readings/read-readings.ts';
import type { DayChart } from '#shared/contract/history.ts';
import { findIntervals, type SignalInterval } from '#shared/domain/figures.ts';
import { BUCKET_MS, type Range } from '#shared/domain/intervals.ts';
import { catalogueSignalOf } from '#shared/domain/signal.ts';
import { readPartialBuckets } from './cut-ends.ts';
import { neededReadingRange, type OwnedSegment, splitSegment } from './range.ts';

type Band = DayChart['bands'][number];
const KINDS = ['running', 'charging'] as const;
/** Maximum number of bands: more than a screen can show. */
const MAX_BANDS = 2_000;

/**
 * Returns the times in which the machine ran or charged (docs/figures.md section 8), in seconds. If `exact`, they are computed from the
 * readings. Otherwise, or if there would be too many bands, they come from the roll-up, in cells as wide as the chart's buckets: each cell
 * has one band from its start, as long as the machine ran or charged in the cell, so that the lengths add up to the sum.
 */
export async function readActivityBands(
  db: Database,
  streamId: number,
  segments: readonly OwnedSegment[],
  bucketMs: number,
  exact: boolean,
): Promise<Band[]> {
  const read = async (readSegment: (segment: OwnedSegment) => Promise<Band[]>): Promise<Band[]> =>
    (await Promise.all(segments.map(readSegment))).flat();
  const fine = exact ? await read((segment) => readExact(db, streamId, segment)) : undefined;
  const bands =
    fine && fine.length <= MAX_BANDS
      ? fine
      : await read((segment) => readCells(db, streamId, segment, Math.max(bucketMs, BUCKET_MS)));
  return bands.sort((a, b) => a.from - b.from || a.kind.localeCompare(b.kind));
}

/** Returns intervals of one kind in chronological order, cut to the range; adjacent ones are joined. */
function joined(kind: Band['kind'], parts: readonly Range[], range: Range): Band[] {
  const bands: { kind: Band['kind']; from: number; to: number }[] = [];
  // Sorts, because charging that is known from BatteryCurrent is listed after an interval of ChargingCurrent that follows it.
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const from = Math.max(part.from, range.from) / 1000;
    const to = Math.min(part.to, range.to) / 1000;
    if (from >= to) continue;
    const last = bands.at(-1);
    if (last && last.to === from) last.to = to;
    else bands.push({ kind, from, to });
  }
  return bands;
}

const OF_STATES = ['MotorSpeed', 'Speed', 'BatteryCurrent', 'ChargingCurrent', 'IsCharging'];
const isOf: Readonly<Record<Band['kind'], (interval: SignalInterval) => boolean>> = {
  running: (interval) => interval.of === 'motor' && interval.running,
  charging: (interval) => interval.of === 'charger' && interval.charges,
};

async function readExact(db: Database, streamId: number, segment: OwnedSegment): Promise<Band[]> {
  const window = { streamId, ...neededReadingRange(segment, segment.own) };
  const [readings = []] = await readReadingsInRanges(db, [window], (name) =>
    OF_STATES.includes(catalogueSignalOf(name)),
  );
  const { intervals } = findIntervals(readings);
  return KINDS.flatMap((kind) => joined(kind, intervals.filter(isOf[kind]), segment));
}

type Cell = { readonly ms: number; readonly running: number; readonly charging: number };

async function readCells(
  db: Database,
  streamId: number,
  segment: OwnedSegment,
  cellMs: number,
): Promise<Band[]> {
  const { whole, ends } = splitSegment(segment);
  const rolled =
    whole &&
    shardForStream(db, streamId).query<Cell>(
      `select date_part('epoch', date_bin($4::interval, bucket, 'epoch')) * 1000 as ms,
         sum(running_ms)::float8 as running, coalesce(sum(charging_ms), 0)::float8 as charging
       from telemetry.rollup where stream_id = $1 and bucket >= $2 and bucket < $3 group by 1 order by 1`,
      [streamId, new Date(whole.from), new Date(whole.to), `${cellMs / 1000} seconds`],
    );
  const [cut, result] = await Promise.all([readPartialBuckets(db, streamId, segment, ends), rolled]);
  const inCut = cut.map(([ms, { runningMs, chargingMs }]) => ({
    ms,
    running: runningMs,
    charging: chargingMs,
  }));
  // If a partial bucket precedes the first whole bucket in the same cell, the sum of whole buckets begins at that whole bucket.
  const first = whole?.from ?? 0;
  const inWhole = (result?.rows ?? []).map((cell) => ({ ...cell, ms: Math.max(cell.ms, first) }));
  const cells: Cell[] = [...inCut, ...inWhole].sort((a, b) => a.ms - b.ms);
  return KINDS.flatMap((kind) => {
    const parts = cells.map((cell) => {
      const from = Math.max(cell.ms, segment.from);
      return { from, to: from + cell[kind] };
    });
    return joined(kind, parts, segment);
  });
}
