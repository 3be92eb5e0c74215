/** Converts the server's response with the graphs of machines to the lines and rows of the charts. */
import type { ComparedTimeSeries } from '#shared/contract/compare.ts';
import { clockTime, dateAndTime, formatDecimals, formatPercent, statusLabel } from '#shared/domain/nl.ts';
import type { ChartLine, ChartRow } from '#web/chart/chart-paint.ts';

/** Colour and dashes of the machines' lines, in the order in which the user chose the machines. */
export const LINE_STYLES = [
  { color: 'var(--series-1)' },
  { color: 'var(--series-2)', dash: [8, 4] },
  { color: 'var(--series-3)', dash: [2, 4] },
  { color: 'var(--series-4)', dash: [12, 4, 2, 4] },
  { color: 'var(--series-5)', dash: [18, 6] },
] as const satisfies readonly Pick<ChartLine, 'color' | 'dash'>[];

export const lineStyleOf = (n: number): Pick<ChartLine, 'color' | 'dash'> =>
  LINE_STYLES[n % LINE_STYLES.length] ?? LINE_STYLES[0];
export const machineNameOf = ({ alias, serial }: Pick<ComparedTimeSeries, 'alias' | 'serial'>): string =>
  alias || serial;

/** Values of one machine, one per bucket. */
type Values = {
  readonly label: string;
  /** Start of each bucket, unix seconds. */
  readonly time: readonly number[];
  readonly bucketSeconds: number;
  readonly values: readonly (number | null)[];
};

const levelsOf = (course: ComparedTimeSeries): Values => ({
  label: machineNameOf(course),
  time: course.time,
  bucketSeconds: course.bucketSeconds,
  values: course.level,
});
const powersOf = (course: ComparedTimeSeries): Values => ({
  label: machineNameOf(course),
  time: course.power.time,
  bucketSeconds: course.power.bucketSeconds,
  values: course.power.kw,
});

type Lines = { readonly times: readonly number[]; readonly lines: readonly ChartLine[] };

export const levelLines = (courses: readonly ComparedTimeSeries[]): Lines =>
  chartLinesOf(courses.map(levelsOf));
export const powerLines = (courses: readonly ComparedTimeSeries[]): Lines =>
  chartLinesOf(courses.map(powersOf));

/** Returns one line per machine on a shared time axis, broken where the machine has no data. Each point is at the middle of its bucket. */
export function chartLinesOf(machines: readonly Values[]): Lines {
  const points = machines.map(pointsWithGaps);
  const times = [...new Set(points.flatMap((own) => [...own.keys()]))].sort((a, b) => a - b);
  return {
    times,
    lines: machines.map(({ label }, n) => ({
      label,
      ...lineStyleOf(n),
      values: times.map((time) => points[n]?.get(time)),
    })),
  };
}

/** Returns the values by time in unix seconds; a null after the last value before a gap breaks the line. */
function pointsWithGaps({ time, bucketSeconds, values }: Values): Map<number, number | null> {
  const points = new Map<number, number | null>();
  time.forEach((start, at) => {
    const before = time[at - 1];
    if (before !== undefined && start - before > bucketSeconds * 1.5)
      points.set(before + bucketSeconds, null);
    points.set(start + bucketSeconds / 2, values[at] ?? null);
  });
  return points;
}

/** Returns two rows per machine: when it ran, and when it charged. */
export const activityRows = (courses: readonly ComparedTimeSeries[]): ChartRow[] =>
  courses.flatMap((course) =>
    (['running', 'charging'] as const).map((kind) => {
      const bands = course.bands.filter((band) => band.kind === kind);
      return {
        label: `${machineNameOf(course)}: ${statusLabel(kind).toLowerCase()}`,
        from: bands.map(({ from }) => from),
        to: bands.map(({ to }) => to),
        styleOf: () => ({ color: `var(--status-${kind}-line)`, name: '' }),
      };
    }),
  );

export const hasSeriesData = ({ time, power }: ComparedTimeSeries): boolean =>
  time.length > 0 || power.time.length > 0;
export const hasLevels = ({ level }: ComparedTimeSeries): boolean => level.some((value) => value !== null);

/** Returns a text that names the series that a machine lacks in the period; undefined if it has all. */
export function missingSeriesText(course: ComparedTimeSeries): string | undefined {
  if (!hasSeriesData(course)) return 'geen gegevens in deze periode';
  const lacks = [
    ...(hasLevels(course) ? [] : ['geen acculading']),
    ...(course.power.time.length > 0 ? [] : ['geen vermogen, want de stroom is niet bekend']),
  ];
  return lacks.length === 0 ? undefined : lacks.join(' en ');
}

/** Returns the values of a machine at a time as a text, for example '73%, 4,2 kW, Draait'. @param time unix seconds */
export function seriesReadoutText(course: ComparedTimeSeries, time: number): string {
  const level = valueAt(levelsOf(course), time);
  const power = valueAt(powersOf(course), time);
  if (level === undefined && power === undefined) return 'geen gegevens';
  const kinds = (['running', 'charging'] as const).filter((kind) =>
    course.bands.some((band) => band.kind === kind && band.from <= time && time < band.to),
  );
  return [
    formatPercent(level ?? undefined),
    ...(power == null ? [] : [`${formatDecimals(power, 1)} kW`]),
    kinds.length === 0 ? statusLabel('off') : kinds.map(statusLabel).join(' en '),
  ].join(', ');
}

/** Returns the value of the bucket at a time in unix seconds; null if the bucket has no value, undefined if there is no bucket. */
function valueAt({ time, bucketSeconds, values }: Values, at: number): number | null | undefined {
  let [low, high] = [0, time.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((time[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  const start = time[low - 1];
  return start !== undefined && at < start + bucketSeconds ? (values[low - 1] ?? null) : undefined;
}

/**
 * Returns a time as a Dutch text.
 * @param time Unix seconds
 * @param isOneDay if true, the text is the clock time only
 */
export const chartTimeText = (time: number, isOneDay: boolean): string =>
  isOneDay ? clockTime(time * 1000) : dateAndTime(time * 1000);
