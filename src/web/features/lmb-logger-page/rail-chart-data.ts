/** Converts the history of an LMB logger to the data of its charts, with times in unix seconds. */
import { legendCodeColor, legendCodeName } from '#shared/domain/rail-legend.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import type { TimeChartData } from '#web/chart/chart-options.ts';
import type { ChartRow } from '#web/chart/chart-paint.ts';
import type { CodeTimeline, RailData, RailIntervals } from './rail-data.ts';

const seconds = ({ from, to }: TimeRange) => ({ from: from / 1000, to: to / 1000 });
const NO_LABEL = (): string => '';

/** Returns the speed line, broken where no reading is valid. */
export function speedChart({ speed }: RailData, range: TimeRange): TimeChartData {
  const times: number[] = [];
  const values: (number | null)[] = [];
  const { from, to, value } = speed;
  for (let n = 0; n < from.length; n++) {
    times.push((from[n] as number) / 1000);
    values.push(value[n] as number);
    if (n + 1 < from.length && (from[n + 1] as number) > (to[n] as number)) {
      times.push((to[n] as number) / 1000);
      values.push(null);
    }
  }
  return {
    times,
    lines: [{ label: 'Snelheid', color: 'var(--mantine-color-anchor)', values }],
    range: seconds(range),
    axis: { min: 0, label: String, unit: 'km/u' },
  };
}

/** Returns a chart with one labelled row per timeline; the row of a single timeline has no label. */
export function timelineChart(
  timelines: readonly { readonly label: string; readonly timeline: CodeTimeline }[],
  range: TimeRange,
): TimeChartData {
  const { from, to } = seconds(range);
  return {
    times: [from, to],
    lines: [],
    rows: timelines.map(({ label, timeline }) => rowOf(timelines.length > 1 ? label : '', timeline)),
    range: { from, to },
    axis: { min: 0, max: 1, label: NO_LABEL },
  };
}

function rowOf(label: string, { intervals, legend }: CodeTimeline): ChartRow {
  const { from, to, value } = intervals;
  return {
    label,
    from: from.map((ms) => ms / 1000),
    to: to.map((ms) => ms / 1000),
    styleOf: (n) => {
      const code = value[n] as number;
      return { color: legendCodeColor(legend, code), name: legendCodeName(legend, code) };
    },
  };
}

/** Returns the codes of the legend, and the codes of the intervals that are not in the legend. */
export function codesOf({ intervals, legend }: CodeTimeline): readonly number[] {
  const known = legend.map(({ value }) => value);
  const strange = [...new Set(intervals.value)].filter((code) => !known.includes(code));
  return [...known, ...strange.sort((a, b) => a - b)];
}

/** Returns the highest speed in km/h from `from` up to, but not at, `to` (ms); undefined without a reading in between. */
export function highestSpeed({ from, value }: RailIntervals, range: TimeRange): number | undefined {
  let highest: number | undefined;
  for (let n = 0; n < from.length; n++) {
    const at = from[n] as number;
    if (at > range.from && at >= range.to) break;
    if (at >= range.from && (highest === undefined || (value[n] as number) > highest)) highest = value[n];
  }
  return highest;
}
