/** From what the server answers to what the charts draw. */
import type { Course } from '#shared/contract/compare.ts';
import { clockTime, dateAndTime, decimals, percent, statusLabel } from '#shared/domain/nl.ts';
import type { ChartLine, ChartRow } from '#web/chart/chart-paint.ts';

/** Colour and dashes of the machines' lines, in the order of choosing. */
export const LOOKS = [
  { color: 'var(--machine-1)' },
  { color: 'var(--machine-2)', dash: [8, 4] },
  { color: 'var(--machine-3)', dash: [2, 4] },
  { color: 'var(--machine-4)', dash: [12, 4, 2, 4] },
  { color: 'var(--machine-5)', dash: [18, 6] },
] as const satisfies readonly Pick<ChartLine, 'color' | 'dash'>[];

export const lookOf = (n: number): Pick<ChartLine, 'color' | 'dash'> => LOOKS[n % LOOKS.length] ?? LOOKS[0];
export const nameOf = ({ alias, serial }: Pick<Course, 'alias' | 'serial'>): string => alias || serial;

/** A machine's values, each at the middle of its bucket; unix seconds. */
type Values = {
  readonly label: string;
  readonly time: readonly number[];
  readonly bucketSeconds: number;
  readonly values: readonly (number | null)[];
};

const levelsOf = (course: Course): Values => ({
  label: nameOf(course),
  time: course.time,
  bucketSeconds: course.bucketSeconds,
  values: course.level,
});
const powersOf = (course: Course): Values => ({
  label: nameOf(course),
  time: course.power.time,
  bucketSeconds: course.power.bucketSeconds,
  values: course.power.kw,
});

type Lines = { readonly times: readonly number[]; readonly lines: readonly ChartLine[] };

export const levelLines = (courses: readonly Course[]): Lines => linesOf(courses.map(levelsOf));
export const powerLines = (courses: readonly Course[]): Lines => linesOf(courses.map(powersOf));

/** One line per machine on one time axis: broken where it sent nothing, and going on at times that are another machine's. */
export function linesOf(machines: readonly Values[]): Lines {
  const points = machines.map(brokenPoints);
  const times = [...new Set(points.flatMap((own) => [...own.keys()]))].sort((a, b) => a - b);
  return {
    times,
    lines: machines.map(({ label }, n) => ({
      label,
      ...lookOf(n),
      values: times.map((time) => points[n]?.get(time)),
    })),
  };
}

/** Time to value; in a hole, and before the first and after the last value, null. */
function brokenPoints({ time, bucketSeconds, values }: Values): Map<number, number | null> {
  const points = new Map<number, number | null>();
  time.forEach((start, at) => {
    const before = time[at - 1];
    if (before !== undefined && start - before > bucketSeconds * 1.5)
      points.set(before + bucketSeconds, null);
    points.set(start + bucketSeconds / 2, values[at] ?? null);
  });
  return points;
}

/** Two rows per machine: when it ran, and when it charged. */
export const activityRows = (courses: readonly Course[]): ChartRow[] =>
  courses.flatMap((course) =>
    (['running', 'charging'] as const).map((kind) => {
      const bands = course.bands.filter((band) => band.kind === kind);
      return {
        label: `${nameOf(course)}: ${statusLabel(kind).toLowerCase()}`,
        from: bands.map(({ from }) => from),
        to: bands.map(({ to }) => to),
        look: () => ({ color: `var(--${kind})`, name: '' }),
      };
    }),
  );

export const hasData = ({ time, power }: Course): boolean => time.length > 0 || power.time.length > 0;
export const hasLevels = ({ level }: Course): boolean => level.some((value) => value !== null);

/** Returns which series a machine lacks in the period, in words; undefined: none. */
export function lackOf(course: Course): string | undefined {
  if (!hasData(course)) return 'geen gegevens in deze periode';
  const lacks = [
    ...(hasLevels(course) ? [] : ['geen acculading']),
    ...(course.power.time.length > 0 ? [] : ['geen vermogen, want de stroom is niet bekend']),
  ];
  return lacks.length === 0 ? undefined : lacks.join(' en ');
}

/** A machine at a moment: '73%, 4,2 kW, Draait'. @param time unix seconds */
export function readoutOf(course: Course, time: number): string {
  const level = valueAt(levelsOf(course), time);
  const power = valueAt(powersOf(course), time);
  if (level === undefined && power === undefined) return 'geen gegevens';
  const kinds = (['running', 'charging'] as const).filter((kind) =>
    course.bands.some((band) => band.kind === kind && band.from <= time && time < band.to),
  );
  return [
    percent(level ?? undefined),
    ...(power == null ? [] : [`${decimals(power, 1)} kW`]),
    kinds.length === 0 ? statusLabel('off') : kinds.map(statusLabel).join(' en '),
  ].join(', ');
}

/** The value of the bucket that a time lies in; null: not known in it; undefined: nothing was sent then. */
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

/** A moment of the graphs in words. @param time unix seconds @param isOneDay whether the clock says enough */
export const momentInWords = (time: number, isOneDay: boolean): string =>
  isOneDay ? clockTime(time * 1000) : dateAndTime(time * 1000);
