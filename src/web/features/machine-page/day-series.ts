/** From the answer of /api/influx/day to what the chart draws and what is said about it. */
import type { DayChart } from '#shared/contract/history.ts';
import { percent } from '#shared/domain/nl.ts';
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

/** One line per battery, in order of their numbers, broken where nothing was reported; running and charging behind. */
export function seriesOf({ time, bucketSeconds, packs, bands }: DayChart): DaySeries {
  const ordered = inOrder(packs);
  const broken = brokenAtHoles(
    time,
    ordered.map(({ mean }) => mean),
    bucketSeconds * 1.5,
  );
  return {
    times: broken.times,
    lines: ordered.map(({ name }, n) => ({
      label: packLabel(name),
      ...LOOKS[n % LOOKS.length]!,
      values: broken.columns[n] ?? [],
    })),
    bands: bands.map(({ kind, from, to }) => ({
      from,
      to,
      color: `var(--${kind})`,
      hatched: kind === 'charging',
    })),
  };
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

/** 'Accu 1 73%, Accu 2 --' at a moment (ms); undefined where nothing was reported around it. */
export function valuesAt({ time, bucketSeconds, packs }: DayChart, ms: number): string | undefined {
  // A bucket is known by its start.
  const middle = ms / 1000 - bucketSeconds / 2;
  const index = nearestIndex(time, middle);
  if (index < 0 || Math.abs(time[index]! - middle) > bucketSeconds) return undefined;
  return inOrder(packs)
    .map(({ name, mean }) => `${packLabel(name)} ${percent(mean[index] ?? undefined)}`)
    .join(', ');
}
