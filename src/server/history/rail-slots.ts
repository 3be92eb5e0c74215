import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { pathSlots } from '#shared/domain/path-slots.ts';
import { inEachSlot, inParts, lookUpValues, msOf, OF_SLOT, readCells } from './look-ups.ts';
import type { Segment } from './range.ts';

/**
 * Up to a million readings (eleven days of one per second), all are read. For more readings, so that no answer takes
 * long, the readings at the start of 20,000 slots spread over the range are read.
 */
const EFFORT = { readAll: 1_000_000, slots: 20_000, most: 30 };

const CODES = ['machinestatus', 'spoor', 'spoorstand'] as const;
export type CodeColumn = (typeof CODES)[number];

/**
 * Summary of the readings of a slot: for each code the number of readings, the lowest and highest code, and the first
 * and last time; and the lowest and highest speed (km/h) with the first time of each. Times in ms; null when no reading
 * has a value.
 */
export type RailSlot = Range &
  Readonly<Record<`speed_${'low' | 'high'}${'' | '_at'}`, number | null>> &
  Readonly<Record<`${CodeColumn}_${'low' | 'high' | 'first' | 'last'}`, number | null>> &
  Readonly<Record<`${CodeColumn}_count`, number>>;

/** The slots of a segment with a speed or a code, in order, including those outside it that its intervals extend into. */
export type SlotsOfSegment = {
  readonly segment: Segment;
  readonly slots: readonly RailSlot[];
  /** Number of readings that were read per slot; null: all readings of all slots. */
  readonly most: number | null;
};

/**
 * Returns the slots of each segment. When all readings are read, a slot lies in one bucket of the chart and has at most
 * 5 minutes, unless there would be too many slots.
 */
export async function railSlots(
  db: Database,
  streamId: number,
  segments: readonly Segment[],
  bucketMs: number,
  effort = EFFORT,
): Promise<SlotsOfSegment[]> {
  const cells = await Promise.all(segments.map((segment) => readCells(db, streamId, segment)));
  const sum = (of: (cell: (typeof cells)[number][number]) => number) =>
    cells.flat().reduce((all, cell) => all + of(cell), 0);
  const most = sum(({ count }) => count) <= effort.readAll ? null : effort.most;
  const sizeMs = Math.max(
    Math.min(bucketMs, MAX_GAP_MS),
    chartBucketMs(
      sum(({ from, to }) => to - from),
      effort.slots,
    ),
  );
  const still = cells.flat().map((cell) => ({ ...cell, metres: 0 }));
  const sample = most === null ? [] : pathSlots(still, effort.slots);
  return Promise.all(
    segments.map(async (segment, n) => {
      const { from, to } = segment;
      const near = nearOf(segment);
      const inside = cells[n]?.flatMap((cell) => steps(cell, sizeMs)) ?? [];
      const every = [{ from: near.from, to: from }, ...inside, { from: to, to: near.to }];
      const ranges = most === null ? every : sample.filter((slot) => slot.from >= from && slot.to <= to);
      return { segment, slots: await readSlots(db, streamId, near, ranges, most), most };
    }),
  );
}

/** Extends a segment by the time that intervals extend out of it, without readings of another owner. */
export const nearOf = ({ from, to, own }: Segment): Range => ({
  from: Math.max(from - MAX_GAP_MS, own.from),
  to: Math.min(to + MAX_GAP_MS, own.to),
});

/** Splits the range at multiples of `sizeMs`. */
function steps({ from, to }: Range, sizeMs: number): Range[] {
  const cuts: Range[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / sizeMs) + 1) * sizeMs);
    cuts.push({ from: start, to: end });
    start = end;
  }
  return cuts;
}

const ofCode = (
  code: CodeColumn,
) => `count(${code})::float8 as ${code}_count, min(${code}) as ${code}_low, max(${code}) as ${code}_high,
  ${msOf(`min(time) filter (where ${code} is not null)`)} as ${code}_first,
  ${msOf(`max(time) filter (where ${code} is not null)`)} as ${code}_last`;
const firstWith = (speed: 'speed_low' | 'speed_high') =>
  `(select ${msOf('time')} from ${OF_SLOT} where speed = ${speed} order by time limit 1) as ${speed}_at`;
const SLOT = inEachSlot(
  `select *, ${firstWith('speed_low')}, ${firstWith('speed_high')} from (
    select min(speed) as speed_low, max(speed) as speed_high, ${CODES.map(ofCode).join(', ')} from ${OF_SLOT}
  ) as sums where num_nonnulls(speed_low, ${CODES.map((code) => `${code}_low`).join(', ')}) > 0`,
);

function readSlots(
  db: Database,
  streamId: number,
  near: Range,
  ranges: readonly Range[],
  most: number | null,
): Promise<RailSlot[]> {
  return inParts(ranges, (slots) =>
    ofStream(db, streamId).query<RailSlot>(
      `select ${msOf('slot.from_time')} as "from", ${msOf('slot.to_time')} as "to", found.* from ${SLOT}`,
      lookUpValues(streamId, near, { slots, most }),
    ),
  );
}
