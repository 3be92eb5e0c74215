/** Converts the response of /api/influx/day to the chart and its texts. */
import type { DayChart } from '#shared/contract/history.ts';
import { clockTime, dateAndSecond, dateAndTime, formatPercent } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import type { ChartBand, ChartLine } from '#web/chart/chart-paint.ts';
import { breakAtGaps, nearestIndex } from './broken-lines.ts';

/** Colours and dashes of the lines. The fifth battery has the colour of the first one, with other dashes. */
const LINE_STYLES: readonly Pick<ChartLine, 'color' | 'dash'>[] = [
  { color: 'var(--series-1)' },
  { color: 'var(--series-2)', dash: [8, 4] },
  { color: 'var(--series-3)', dash: [2, 4] },
  { color: 'var(--series-4)', dash: [10, 4, 2, 4] },
  { color: 'var(--series-1)', dash: [1, 3] },
  { color: 'var(--series-2)', dash: [1, 3] },
  { color: 'var(--series-3)', dash: [6, 2, 1, 2] },
  { color: 'var(--series-4)', dash: [1, 3] },
];

/** Returns 'Accu 2' for 'Soc2'; a name without digits is battery 1 (docs/design.md section 4). */
const packLabel = (name: string): string => `Accu ${/\d+/.exec(name)?.[0] ?? 1}`;

const inOrder = (packs: DayChart['packs']): DayChart['packs'] =>
  [...packs].sort((a, b) => packLabel(a.name).localeCompare(packLabel(b.name), 'nl', { numeric: true }));

type DaySeries = {
  /** Unix seconds. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly bands: readonly ChartBand[];
};

/**
 * Returns one line per battery, in order of battery number: its first value, the mean of each bucket at the bucket's middle, and its
 * last value, with gaps where nothing was reported. The coloured bands behind the lines show when the machine ran or charged.
 */
export function dayChartSeries({ time, bucketSeconds, packs, bands }: DayChart): DaySeries {
  const ordered = inOrder(packs);
  const broken = breakAtGaps(
    time.map((start) => bucketMiddle(start, bucketSeconds)),
    ordered.map(({ mean }) => mean),
    bucketSeconds * 1.5,
  );
  const ends = ordered.flatMap(({ firstTime, lastTime }) => [firstTime ?? [], lastTime ?? []].flat());
  const times = [...new Set([...broken.times, ...ends])].sort((a, b) => a - b);
  const indexes = new Map(broken.times.map((middle, index) => [middle, index]));
  return {
    times,
    lines: ordered.map((pack, n) => ({
      label: packLabel(pack.name),
      ...LINE_STYLES[n % LINE_STYLES.length]!,
      values: times.map((at) => {
        const index = indexes.get(at);
        return valueOnLine(pack, at, index === undefined ? undefined : broken.columns[n]?.[index]);
      }),
    })),
    bands: bands.map(({ kind, from, to }) => ({
      from,
      to,
      color: `var(--status-${kind}-line)`,
      hatched: kind === 'charging',
    })),
  };
}

/** Returns the middle of a bucket in unix seconds, rounded to the ms so that converting to ms and back keeps it equal. */
export const bucketMiddle = (start: number, bucketSeconds: number): number =>
  Math.round((start + bucketSeconds / 2) * 1000) / 1000;

type PackChart = DayChart['packs'][number];

/** Returns a battery's value at time `at`. @param mean mean at `at`; null if unknown, undefined if only another battery has a value */
function valueOnLine(
  pack: PackChart,
  at: number,
  mean: number | null | undefined,
): number | null | undefined {
  const end = readingAt(pack, at);
  if (end !== undefined) return end;
  const { firstTime, lastTime } = pack;
  if (firstTime === null || lastTime === null || at < firstTime || at > lastTime) return null;
  return mean;
}

/** Returns the first or last value of a pack if it was measured exactly at that time (unix seconds); else undefined. */
function readingAt({ first, firstTime, last, lastTime }: PackChart, at: number): number | undefined {
  if (at === firstTime) return first ?? undefined;
  return at === lastTime ? (last ?? undefined) : undefined;
}

type Period = { readonly kind: 'running' | 'charging'; readonly from: number; readonly to: number };

/** Returns the running and charging periods inside the range, by time, in unix seconds. */
export function activityPeriodsOf({ bands }: DayChart, range: TimeRange): Period[] {
  return bands
    .map(({ kind, from, to }) => ({
      kind,
      from: Math.max(from, range.from / 1000),
      to: Math.min(to, range.to / 1000),
    }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
}

/** Charge levels of a pack in %; undefined if never reported. */
type PackFigures = {
  readonly label: string;
  readonly first: number | undefined;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly last: number | undefined;
};

export function packFiguresOf({ packs }: DayChart): PackFigures[] {
  const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
  const extreme = (values: number[], pick: (a: number, b: number) => number): number | undefined =>
    values.length === 0 ? undefined : values.reduce((a, b) => pick(a, b));
  return inOrder(packs).map(({ name, min, max, first, last }) => ({
    label: packLabel(name),
    first: first ?? undefined,
    lowest: extreme(known(min), Math.min),
    highest: extreme(known(max), Math.max),
    last: last ?? undefined,
  }));
}

/**
 * Returns the levels at a moment (unix ms): 'DD-MM-YY, HH:MM:SS: Accu 1 73%, Accu 2 -- (gemiddeld van 08:30 tot 08:32)'. Gives the
 * means of the bucket, or the measured values where a line begins or ends.
 */
export function levelsReadoutAt(chart: DayChart, range: TimeRange, ms: number): string {
  return `${dateAndSecond(ms)}: ${valuesAt(chart, range, ms) ?? 'geen gegevens'}`;
}

function valuesAt(
  { time, bucketSeconds, packs }: DayChart,
  range: TimeRange,
  ms: number,
): string | undefined {
  const read = inOrder(packs).flatMap((pack) => {
    const value = readingAt(pack, ms / 1000);
    return value === undefined ? [] : `${packLabel(pack.name)} ${formatPercent(value)}`;
  });
  if (read.length > 0) return `${read.join(', ')} (gemeten)`;
  // `time` holds the start of each bucket, but the moment is compared with the middles.
  const index = nearestIndex(time, ms / 1000 - bucketSeconds / 2);
  const start = time[index];
  if (start === undefined || Math.abs(start + bucketSeconds / 2 - ms / 1000) > bucketSeconds)
    return undefined;
  const means = inOrder(packs).map(
    ({ name, mean }) => `${packLabel(name)} ${formatPercent(mean[index] ?? undefined)}`,
  );
  return `${means.join(', ')} (${bucketText(start, bucketSeconds, range)})`;
}

const MINUTE_S = 60;
const DAY_S = 86_400;

/** Returns for example 'gemiddeld van 08:30 tot 08:32' for the part of a bucket in the range. @param start unix seconds */
export function bucketText(start: number, bucketSeconds: number, range: TimeRange): string {
  const [from, to] = [Math.max(start * 1000, range.from), Math.min((start + bucketSeconds) * 1000, range.to)];
  const write = (at: number): string => {
    if (bucketSeconds >= DAY_S) return dateAndTime(at);
    return bucketSeconds < MINUTE_S ? dateAndSecond(at).slice(-8) : clockTime(at);
  };
  return `gemiddeld van ${write(from)} tot ${write(to)}`;
}
