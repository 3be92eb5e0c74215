import type uPlot from 'uplot';
import {
  type ChartBand,
  type ChartLine,
  type ChartMark,
  type ChartRow,
  paintBands,
  paintChartRows,
  paintMarks,
  resolveColor,
} from './chart-paint.ts';
import { tickLabel, timeTicks } from './time-ticks.ts';

/** Space that a label on the time axis needs, in pixels. */
const TICK_PX = 72;
const AXIS_FONT = '12px system-ui, sans-serif';
const HIDDEN_PX = -10;

/** Space to the left and right of the plot: equal for every chart, so that the time axes of charts below each other align. */
export const PLOT_MARGIN_LEFT_PX = 44;
export const PLOT_MARGIN_RIGHT_PX = 20;

export type TimeChartData = {
  /** Values of the horizontal axis in ascending order: Unix seconds, or another quantity if `across` is set. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly bands?: readonly ChartBand[];
  readonly marks?: readonly ChartMark[];
  /** Rows of coloured intervals that are drawn instead of lines; the value axis is then empty. */
  readonly rows?: readonly ChartRow[];
  /** Shown part of the horizontal axis, in Unix seconds. */
  readonly range: { readonly from: number; readonly to: number };
  /** Set if the horizontal axis does not show time: the distance between its ticks, and the label of a tick. */
  readonly across?: { readonly step: number; readonly label: (value: number) => string };
  /** Limits and labels of the value axis. If `max` is undefined, the axis fits the data. */
  readonly axis: {
    readonly min: number;
    readonly max?: number;
    readonly label: (value: number) => string;
    /** Unit of the values, shown below the highest tick; set if the labels do not contain it. */
    readonly unit?: string;
  };
};

type Size = { readonly width: number; readonly height: number };

/** Returns uPlot's options for a chart; calls `onPoint` with the time at the pointer. */
export function chartOptions(
  { lines, bands = [], marks = [], rows = [], range, across, axis }: TimeChartData,
  { width, height }: Size,
  root: Element,
  onPoint: (time: number | undefined) => void,
): uPlot.Options {
  const quiet = resolveColor('var(--text-quiet)', root);
  const grid = resolveColor('var(--line)', root);
  const axisStyle = { stroke: quiet, font: AXIS_FONT, ticks: { show: false } } as const;
  return {
    width,
    height,
    padding: [8, PLOT_MARGIN_RIGHT_PX, 0, 0],
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
        ...axisStyle,
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
        ...axisStyle,
        size: PLOT_MARGIN_LEFT_PX,
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
          stroke: resolveColor(color, root),
          width: 2,
          points: { show: false, filter: (chart, index) => isolatedPoints(chart.data[index] ?? []) },
          ...(dash && { dash: [...dash] }),
        }),
      ),
    ],
    hooks: {
      drawClear: [(chart) => paintBands(chart, bands)],
      draw: [(chart) => paintChartRows(chart, rows, quiet), (chart) => paintMarks(chart, marks)],
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

/**
 * Returns the indexes of the values with a break of the line (null or an end) both before and after them: they need a
 * dot, because no line reaches them. Ignores undefined values (times at which only other lines have a value).
 */
function isolatedPoints(values: ArrayLike<number | null | undefined>): number[] {
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

/** Moves the cursor to a time (Unix seconds) without calling `onPoint`; hides it if the time is outside the chart. */
export function placeCursor(chart: uPlot, time: number | undefined): void {
  const { min = 0, max = 0 } = chart.scales.x ?? {};
  const inside = time !== undefined && time >= min && time <= max;
  chart.setCursor(
    { left: inside ? chart.valToPos(time, 'x') : HIDDEN_PX, top: inside ? 0 : HIDDEN_PX },
    false,
  );
}
