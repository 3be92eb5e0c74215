/** Paints the bands, marks and rows of a chart. Colours are CSS variables of the page, so that they follow the theme. */
import type uPlot from 'uplot';

/** A CSS colour or `var(--…)`. */
export type Color = string;

export type ChartLine = {
  readonly label: string;
  readonly color: Color;
  /** Lengths of dashes and gaps in pixels, so that lines differ by more than their colour. */
  readonly dash?: readonly number[];
  /** One value per time. null breaks the line; undefined (only another line has a value at that time) does not. */
  readonly values: readonly (number | null | undefined)[];
};

/** A period that is painted as a coloured band behind the lines. Times are in Unix seconds. */
export type ChartBand = {
  readonly from: number;
  readonly to: number;
  readonly color: Color;
  /** Hatches the band, so that it differs by more than its colour. */
  readonly hatched?: boolean;
};

/** An event, drawn over the lines as a dashed line with an arrowhead at its top. */
export type ChartMark = {
  /** Unix seconds. */
  readonly time: number;
  readonly color: Color;
};

/** Height of the opaque strip at the bottom of a band. */
const STRIP_PX = 6;
const BAND_OPACITY = 0.14;

/** Returns the colour that the CSS variable in `var(--x)` has, because a canvas does not accept variables. */
export function resolveColor(color: Color, element: Element): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  return name ? getComputedStyle(element).getPropertyValue(name).trim() : color;
}

/** Paints each band transparently over the whole height, with an opaque strip at the bottom. */
export function paintBands(chart: uPlot, bands: readonly ChartBand[]): void {
  const { ctx, bbox } = chart;
  const strip = STRIP_PX * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const band of bands) {
    const left = chart.valToPos(band.from, 'x', true);
    // At least one pixel, so that short bands are visible.
    const width = Math.max(devicePixelRatio, chart.valToPos(band.to, 'x', true) - left);
    const color = resolveColor(band.color, chart.root);
    ctx.fillStyle = color;
    ctx.globalAlpha = BAND_OPACITY;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top + bbox.height - strip, width, strip);
    if (band.hatched) hatch(ctx, { left, width, top: bbox.top, height: bbox.height }, color);
  }
  ctx.restore();
}

/** Size of the arrowhead of a mark. */
const HEAD_PX = 5;

/** Paints the marks inside the shown range. */
export function paintMarks(chart: uPlot, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const { min = 0, max = 0 } = chart.scales.x ?? {};
  const head = HEAD_PX * ratio;
  ctx.save();
  ctx.lineWidth = 1.5 * ratio;
  for (const { time, color } of marks) {
    if (time < min || time > max) continue;
    const x = chart.valToPos(time, 'x', true);
    ctx.strokeStyle = resolveColor(color, chart.root);
    ctx.fillStyle = ctx.strokeStyle;
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x - head, bbox.top);
    ctx.lineTo(x + head, bbox.top);
    ctx.lineTo(x, bbox.top + 2 * head);
    ctx.fill();
  }
  ctx.restore();
}

type Box = { readonly left: number; readonly width: number; readonly top: number; readonly height: number };

function hatch(ctx: CanvasRenderingContext2D, { left, width, top, height }: Box, color: string): void {
  const step = 10 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.globalAlpha = 0.35;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  // Starts at a multiple of the step, so that the hatching of adjacent bands aligns.
  for (let x = Math.floor((left - height) / step) * step; x < left + width; x += step) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** A row of coloured intervals in chronological order. Times are in Unix seconds. */
export type ChartRow = {
  /** Shown above the row; '' for the only row of a chart. */
  readonly label: string;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  /** Returns the colour and name of the nth interval. The name is white and must be readable on the colour. */
  readonly styleOf: (n: number) => { readonly color: string; readonly name: string };
};

const LABEL_PX = 20;
const GAP_PX = 6;
const FONT_PX = 12;
/** Space on both sides of an interval's name. */
const MARGIN_PX = 6;

/**
 * Paints the rows below each other over the whole height of the plot. Writes the name of an interval inside the
 * interval if there is room.
 */
export function paintChartRows(chart: uPlot, rows: readonly ChartRow[], text: string): void {
  if (rows.length === 0) return;
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const height = bbox.height / rows.length;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${FONT_PX * ratio}px system-ui, sans-serif`;
  ctx.textAlign = 'left'; // uPlot changes the alignment when it draws the axes.
  rows.forEach((row, index) => {
    const top = bbox.top + index * height;
    const head = row.label === '' ? 0 : LABEL_PX * ratio;
    if (head > 0) {
      ctx.fillStyle = text;
      ctx.textBaseline = 'middle';
      ctx.fillText(row.label, bbox.left + 2 * ratio, top + head / 2);
    }
    paintRow(chart, row, { top: top + head, height: height - head - GAP_PX * ratio });
  });
  ctx.restore();
}

type Strip = { readonly top: number; readonly height: number };

function paintRow(chart: uPlot, { from, to, styleOf }: ChartRow, { top, height }: Strip): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const right = bbox.left + bbox.width;
  const { min = 0, max = 0 } = chart.scales.x ?? {};
  let paintedTo = Number.NEGATIVE_INFINITY;
  ctx.textBaseline = 'middle';
  for (let n = 0; n < from.length; n++) {
    const [start, stop] = [from[n] as number, to[n] as number];
    if (stop < min) continue;
    if (start > max) break;
    const left = Math.max(bbox.left, chart.valToPos(start, 'x', true));
    const end = Math.min(right, chart.valToPos(stop, 'x', true));
    // At least one pixel, so that short intervals are visible.
    const width = Math.max(ratio, end - left);
    if (left + width <= paintedTo) continue;
    paintedTo = left + width;
    const { color, name } = styleOf(n);
    ctx.fillStyle = resolveColor(color, chart.root);
    ctx.fillRect(left, top, width, height);
    if (width < 3 * MARGIN_PX * ratio) continue;
    const wide = ctx.measureText(name).width + 2 * MARGIN_PX * ratio;
    if (wide > width) continue;
    ctx.fillStyle = '#ffffff';
    ctx.fillText(name, left + MARGIN_PX * ratio, top + height / 2);
  }
}
