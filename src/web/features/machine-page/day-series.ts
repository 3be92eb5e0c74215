/** From the answer of /api/influx/day to what the chart draws and what is said about it. */
import type { DayChart } from '#shared/contract/history.ts';
import { clockTime, dateAndSecond, dateAndTime, percent } from '#shared/domain/nl.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import type { ChartBand, ChartLine } from '#web/chart/chart-paint.ts';
import { brokenAtHoles, nearestIndex } from './broken-lines.ts';

/** Lines are told apart by colour and by how they are drawn; a fifth pack has the first one's colour. */
const LOOKS: readonly Pick<ChartLine, 'color' | 'dash'>[] = [
  { color: 'var(--pack-1)' },
  { color: 'var(--pack-2)', dash: [8, 4] },
  { color: 'var(--pack-3)', dash: [2, 4] },
  { color: 'var(--pack-4)', dash: [10, 4, 2, 4] },
  { color: 'var(--pack-1)', dash: [1, 3] },
  { color: 'var(--pack-2)', dash: [1, 3] },
  { color: 'var(--pack-3)', dash: [6, 2, 1, 2] },
  { color: 'var(--pack-4)', dash: [1, 3] },
];

/** 'Accu 2' of 'Soc2'; a name without digits is battery 1 (docs/design.md section 4). */
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
 * One line per battery, in order of their numbers: from its first value over the means of the buckets, each at its
 * bucket's middle, to its last value; broken where nothing was reported. Running and charging behind.
 */
export function seriesOf({ time, bucketSeconds, packs, bands }: DayChart): DaySeries {
  const ordered = inOrder(packs);
  const broken = brokenAtHoles(
    time.map((start) => middleOf(start, bucketSeconds)),
    ordered.map(({ mean }) => mean),
    bucketSeconds * 1.5,
  );
  const ends = ordered.flatMap(({ firstTime, lastTime }) => [firstTime ?? [], lastTime ?? []].flat());
  const times = [...new Set([...broken.times, ...ends])].sort((a, b) => a - b);
  const places = new Map(broken.times.map((middle, place) => [middle, place]));
  return {
    times,
    lines: ordered.map((pack, n) => ({
      label: packLabel(pack.name),
      ...LOOKS[n % LOOKS.length]!,
      values: times.map((at) => {
        const place = places.get(at);
        return valueOnLine(pack, at, place === undefined ? undefined : broken.columns[n]?.[place]);
      }),
    })),
    bands: bands.map(({ kind, from, to }) => ({
      from,
      to,
      color: `var(--${kind})`,
      hatched: kind === 'charging',
    })),
  };
}

/** Of a bucket that begins at `start`; unix seconds to the ms, so that it is the same after a way through ms. */
export const middleOf = (start: number, bucketSeconds: number): number =>
  Math.round((start + bucketSeconds / 2) * 1000) / 1000;

type PackChart = DayChart['packs'][number];

/** @param mean at that time; null: nothing known, undefined: the end of another line */
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

/** The first or last value of a pack, where it is of that very time (unix seconds). */
function readingAt({ first, firstTime, last, lastTime }: PackChart, at: number): number | undefined {
  if (at === firstTime) return first ?? undefined;
  return at === lastTime ? (last ?? undefined) : undefined;
}

type Period = { readonly kind: 'running' | 'charging'; readonly from: number; readonly to: number };

/** What lies inside the range, in order of time; unix seconds. */
export function periodsOf({ bands }: DayChart, range: TimeRange): Period[] {
  return bands
    .map(({ kind, from, to }) => ({
      kind,
      from: Math.max(from, range.from / 1000),
      to: Math.min(to, range.to / 1000),
    }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from);
}

/** %: the first and last value, and the extremes between; undefined: never reported. */
type PackFigures = {
  readonly label: string;
  readonly first: number | undefined;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly last: number | undefined;
};

export function figuresOf({ packs }: DayChart): PackFigures[] {
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
 * 'DD-MM-YY, HH:MM:SS: Accu 1 73%, Accu 2 -- (gemiddeld van 08:30 tot 08:32)' at a moment (ms): the means of its bucket, or
 * the values themselves where a line begins or ends.
 */
export function readoutAt(chart: DayChart, range: TimeRange, ms: number): string {
  return `${dateAndSecond(ms)}: ${valuesAt(chart, range, ms) ?? 'geen gegevens'}`;
}

function valuesAt(
  { time, bucketSeconds, packs }: DayChart,
  range: TimeRange,
  ms: number,
): string | undefined {
  const read = inOrder(packs).flatMap((pack) => {
    const value = readingAt(pack, ms / 1000);
    return value === undefined ? [] : `${packLabel(pack.name)} ${percent(value)}`;
  });
  if (read.length > 0) return `${read.join(', ')} (gemeten)`;
  // A bucket is known by its start.
  const index = nearestIndex(time, ms / 1000 - bucketSeconds / 2);
  const start = time[index];
  if (start === undefined || Math.abs(start + bucketSeconds / 2 - ms / 1000) > bucketSeconds)
    return undefined;
  const means = inOrder(packs).map(
    ({ name, mean }) => `${packLabel(name)} ${percent(mean[index] ?? undefined)}`,
  );
  return `${means.join(', ')} (${bucketInWords(start, bucketSeconds, range)})`;
}

const MINUTE_S = 60;
const DAY_S = 86_400;

/** 'gemiddeld van 08:30 tot 08:32': what of the bucket lies in the range. @param start unix seconds */
export function bucketInWords(start: number, bucketSeconds: number, range: TimeRange): string {
  const [from, to] = [Math.max(start * 1000, range.from), Math.min((start + bucketSeconds) * 1000, range.to)];
  const write = (at: number): string => {
    if (bucketSeconds >= DAY_S) return dateAndTime(at);
    return bucketSeconds < MINUTE_S ? dateAndSecond(at).slice(-8) : clockTime(at);
  };
  return `gemiddeld van ${write(from)} tot ${write(to)}`;
}
