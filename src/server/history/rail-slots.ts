import type { Database } from '#server/platform/database.ts';
import { ofStream } from '#server/platform/shards.ts';
import { chartBucketMs } from '#shared/domain/chart-buckets.ts';
import { MAX_GAP_MS, type Range } from '#shared/domain/intervals.ts';
import { pathSlots } from '#shared/domain/path-slots.ts';
import { inEachSlot, inParts, lookUpValues, msOf, OF_SLOT, readCells } from './look-ups.ts';
import type { Segment } from './range.ts';

/**
 * Up to a million readings, eleven days of one every second, all are read. Beyond, so that no answer takes long, those
 * at the start of 20,000 slots spread over the range.
 */
const EFFORT = { readAll: 1_000_000, slots: 20_000, most: 30 };

const CODES = ['machinestatus', 'spoor', 'spoorstand'] as const;
export type CodeColumn = (typeof CODES)[number];

/**
 * What the readings of a slot say: of those with a code how many, the lowest, the highest, and when the first and the last was; when
 * the first with the lowest and the first with the highest speed was, km/h. Times in ms; null where no reading has it.
 */
export type RailSlot = Range &
  Readonly<Record<`speed_${'low' | 'high'}${'' | '_at'}`, number | null>> &
  Readonly<Record<`${CodeColumn}_${'low' | 'high' | 'first' | 'last'}`, number | null>> &
  Readonly<Record<`${CodeColumn}_count`, number>>;

/** The slots of a segment that have a speed or a code, in order, and those of what an interval reaches out of it. */
export type SlotsOfSegment = {
  readonly segment: Segment;
  readonly slots: readonly RailSlot[];
  /** How many readings of a slot were read; null: all of all. */
  readonly most: number | null;
};

/**
 * What is known of each segment. Where all are read, a slot in it lies in one bucket of the chart, and has no more than 5
 * minutes, unless that would be too many slots.
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

/** The segment with what an interval reaches out of it. The other owner's readings stay out. */
export const nearOf = ({ from, to, own }: Segment): Range => ({
  from: Math.max(from - MAX_GAP_MS, own.from),
  to: Math.min(to + MAX_GAP_MS, own.to),
});

/** The range, cut at multiples of `sizeMs`. */
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
