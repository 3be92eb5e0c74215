/**
 * The response of GET /api/berend/get/data, converted to sorted arrays in which the value at an instant can be
 * found. All times are unix ms.
 */
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import type { Position } from '#shared/domain/position.ts';
import type { LegendLine } from '#shared/domain/rail-legend.ts';

type Point = LmbData['spoor'][number];

/** Intervals sorted by `from`. A value is valid until the next interval begins, but at most until `to`. All times are unix ms. */
export type RailIntervals = {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly value: Float64Array;
};

/** The intervals of a signal whose values are codes, and the name and colour of each value. */
export type CodeTimeline = { readonly intervals: RailIntervals; readonly legend: readonly LegendLine[] };

export type RailData = {
  /** Speed in km/h; each value is valid until the next reading, but at most until `to`. */
  readonly speed: RailIntervals;
  readonly machinestatus: CodeTimeline;
  readonly spoor: CodeTimeline;
  readonly spoorstand: CodeTimeline;
  readonly path: readonly Position[];
  /** The time of each position of the path. */
  readonly pathTimes: Float64Array;
  /** Times of the first and last reading of any signal; undefined without readings. */
  readonly extent: { readonly from: number; readonly to: number } | undefined;
};

/** The value of a reading stays valid for at most this long if no other reading follows (docs/design.md section 6). */
export const READING_VALID_MS = 5 * 60_000;

export function railDataOf(answer: LmbData): RailData {
  const [speed] = answer.speed;
  const [machinestatus] = answer.machinestatus;
  const spoor = answer.spoordata.find(({ name }) => name === 'spoor');
  const spoorstand = answer.spoordata.find(({ name }) => name === 'spoorstand');
  const timeline = (series: LmbData['speed'][number] | undefined): CodeTimeline => ({
    intervals: intervalsOf(series?.data ?? []),
    legend: series?.colors ?? [],
  });
  const data = {
    speed: speedsOf(speed?.data ?? []),
    machinestatus: timeline(machinestatus),
    spoor: timeline(spoor),
    spoorstand: timeline(spoorstand),
    path: answer.location,
    pathTimes: Float64Array.from(answer.location, ({ time }) => Date.parse(time)),
  };
  return { ...data, extent: extentOf(data) };
}

function intervalsOf(points: readonly Point[]): RailIntervals {
  return {
    from: Float64Array.from(points, ({ _start }) => Date.parse(_start)),
    to: Float64Array.from(points, ({ _stop }) => Date.parse(_stop)),
    value: Float64Array.from(points, ({ _value }) => _value),
  };
}

/**
 * Returns the intervals of the speed. Of each bucket of time, the server returns only the readings with the lowest and
 * the highest speed; it may leave out readings with speeds in between. The last interval of a bucket therefore lasts at
 * least until the end of the bucket, and the first one begins at the start of the bucket, or later if an earlier reading
 * is still valid at that start.
 */
function speedsOf(points: readonly Point[]): RailIntervals {
  const from = new Float64Array(points.length);
  const to = new Float64Array(points.length);
  // A bucket has at most two readings, and all buckets except the first and the last are equally long, so the first
  // four readings show that length. Parsing the times of all readings would take long: 0.2 µs per time.
  const lengths = points.slice(0, 4).map(({ _start, _stop }) => Date.parse(_stop) - Date.parse(_start));
  const isShort = points.length > 4 && Math.max(...lengths) <= READING_VALID_MS;
  points.forEach(({ _time, _start, _stop }, n) => {
    const time = Date.parse(_time);
    const previousEnd = n === 0 ? Number.NEGATIVE_INFINITY : (to[n - 1] as number);
    from[n] = previousEnd < time ? Math.max(previousEnd, Math.min(time, Date.parse(_start))) : time;
    to[n] = isShort ? time + READING_VALID_MS : Math.max(time + READING_VALID_MS, Date.parse(_stop));
  });
  return { from, to, value: Float64Array.from(points, ({ _value }) => _value) };
}

function extentOf(data: Omit<RailData, 'extent'>): RailData['extent'] {
  const starts = [
    data.speed.from,
    data.machinestatus.intervals.from,
    data.spoor.intervals.from,
    data.spoorstand.intervals.from,
    data.pathTimes,
  ];
  const ends = [
    data.speed.from,
    data.machinestatus.intervals.to,
    data.spoor.intervals.to,
    data.spoorstand.intervals.to,
    data.pathTimes,
  ];
  const from = Math.min(...starts.map((times) => times[0] ?? Number.POSITIVE_INFINITY));
  const to = Math.max(...ends.map((times) => times.at(-1) ?? Number.NEGATIVE_INFINITY));
  return from <= to ? { from, to } : undefined;
}
