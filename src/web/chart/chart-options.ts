import type uPlot from 'uplot';
import {
  type ChartBand,
  type ChartLine,
  type ChartMark,
  type ChartRow,
  paintBands,
  paintMarks,
  paintRows,
  resolved,
} from './chart-paint.ts';
import { tickLabel, timeTicks } from './time-ticks.ts';

/** px that a mark on the time axis needs for its words. */
const TICK_PX = 72;
const AXIS_FONT = '12px system-ui, sans-serif';
const HIDDEN_PX = -10;

/** px beside the plot: the same for every chart, so that charts below each other share one time axis. */
export const PLOT_LEFT_PX = 44;
export const PLOT_RIGHT_PX = 20;

export type TimeChartData = {
  /** Unix seconds, in order; with `across` what that says. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly bands?: readonly ChartBand[];
  readonly marks?: readonly ChartMark[];
  /** Instead of lines; the value axis is empty then. */
  readonly rows?: readonly ChartRow[];
  /** Unix seconds; what the width of the chart stands for. */
  readonly range: { readonly from: number; readonly to: number };
  /** Where the chart is over something else than time: marks at multiples of `step`, and how one is written. */
  readonly across?: { readonly step: number; readonly label: (value: number) => string };
  /** Lowest and highest of the value axis, and how a value is written there; `max` undefined: what the data needs. */
  readonly axis: {
    readonly min: number;
    readonly max?: number;
    readonly label: (value: number) => string;
    /** Below the highest mark, where the label does not say it. */
    readonly unit?: string;
  };
};

type Size = { readonly width: number; readonly height: number };

/** uPlot's options for a chart of time; `onPoint` is told the time below the pointer. */
export function chartOptions(
  { lines, bands = [], marks = [], rows = [], range, across, axis }: TimeChartData,
  { width, height }: Size,
  root: Element,
  onPoint: (time: number | undefined) => void,
): uPlot.Options {
  const quiet = resolved('var(--text-quiet)', root);
  const grid = resolved('var(--line)', root);
  const axisLook = { stroke: quiet, font: AXIS_FONT, ticks: { show: false } } as const;
  return {
    width,
    height,
    padding: [8, PLOT_RIGHT_PX, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      left: HIDDEN_PX,
      drag: { x: false, y: false, setScale: false },
      points: { size: 9, width: 2 },
    },
    scales: {
      x: { time: false, range: [range.from, range.to] },
      y: { range: (_, __, most) => [axis.min, axis.max ?? Math.max(axis.min + 1, (most ?? 0) * 1.05)] },
    },
    axes: [
      {
        ...axisLook,
        size: 30,
        grid: { stroke: grid, width: 1 },
        splits: (chart, _, from, to) =>
          across
            ? multiplesOf(across.step, from, to)
            : timeTicks(from, to, Math.floor(chart.width / TICK_PX)),
        values: (_, marks) =>
          across
            ? marks.map(across.label)
            : marks.map((mark) => tickLabel(mark, (marks[1] ?? mark) - (marks[0] ?? mark))),
      },
      {
        ...axisLook,
        size: PLOT_LEFT_PX,
        grid: { show: rows.length === 0, stroke: grid, width: 1 },
        values: (_, marks) =>
          marks.map((mark, n) =>
            axis.unit !== undefined && n === marks.length - 1
              ? `${axis.label(mark)}\n${axis.unit}`
              : axis.label(mark),
          ),
      },
    ],
    series: [
      {},
      ...lines.map(
        ({ label, color, dash }): uPlot.Series => ({
          label,
          stroke: resolved(color, root),
          width: 2,
          points: { show: false, filter: (chart, index) => lonely(chart.data[index] ?? []) },
          ...(dash && { dash: [...dash] }),
        }),
      ),
    ],
    hooks: {
      drawClear: [(chart) => paintBands(chart, bands)],
      draw: [(chart) => paintRows(chart, rows, quiet), (chart) => paintMarks(chart, marks)],
      setCursor: [
        (chart) => {
          const left = chart.cursor.left ?? HIDDEN_PX;
          onPoint(left < 0 ? undefined : chart.posToVal(left, 'x'));
        },
      ],
    },
  };
}

function multiplesOf(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, n) => (first + n) * step);
}

/** Of values with none beside them no line is drawn: a dot shows them. Times of other lines lie between. */
function lonely(values: ArrayLike<number | null | undefined>): number[] {
  const places: number[] = [];
  const isBroken = (from: number, step: 1 | -1): boolean => {
    let n = from + step;
    while (n >= 0 && n < values.length && values[n] === undefined) n += step;
    return values[n] == null;
  };
  for (let n = 0; n < values.length; n++)
    if (values[n] != null && isBroken(n, -1) && isBroken(n, 1)) places.push(n);
  return places;
}

/** Puts the cursor at a time (unix seconds) without telling; outside the chart it is not seen. */
export function placeCursor(chart: uPlot, time: number | undefined): void {
  const { min = 0, max = 0 } = chart.scales.x ?? {};
  const inside = time !== undefined && time >= min && time <= max;
  chart.setCursor(
    { left: inside ? chart.valToPos(time, 'x') : HIDDEN_PX, top: inside ? 0 : HIDDEN_PX },
    false,
  );
}
