/** What a chart is painted with. Colours are the page's own, so that they follow the theme. */
import type uPlot from 'uplot';

/** A colour as CSS writes it, `var(--…)` included. */
export type Color = string;

export type ChartLine = {
  readonly label: string;
  readonly color: Color;
  /** px drawn, px left out, …; lines are told apart by it too. */
  readonly dash?: readonly number[];
  /** One per time; null: nothing known, the line is broken; undefined: a time of another line, it goes on. */
  readonly values: readonly (number | null | undefined)[];
};

/** Something that lasted, behind the lines. Unix seconds. */
export type ChartBand = {
  readonly from: number;
  readonly to: number;
  readonly color: Color;
  /** Hatched, so that it differs by more than its colour. */
  readonly hatched?: boolean;
};

/** Something that happened, over the lines: a dashed line with a head at its top. */
export type ChartMark = {
  /** Unix seconds. */
  readonly time: number;
  readonly color: Color;
};

/** px of the strip at the bottom that is painted at full strength. */
const STRIP_PX = 6;
const VEIL = 0.14;

/** `var(--x)` as a canvas can use it. */
export function resolved(color: Color, element: Element): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  return name ? getComputedStyle(element).getPropertyValue(name).trim() : color;
}

/** Paints the bands: a veil over the whole height, and a strip at the bottom. */
export function paintBands(chart: uPlot, bands: readonly ChartBand[]): void {
  const { ctx, bbox } = chart;
  const strip = STRIP_PX * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const band of bands) {
    const left = chart.valToPos(band.from, 'x', true);
    // What lasted shorter than a pixel is still seen.
    const width = Math.max(devicePixelRatio, chart.valToPos(band.to, 'x', true) - left);
    const color = resolved(band.color, chart.root);
    ctx.fillStyle = color;
    ctx.globalAlpha = VEIL;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top + bbox.height - strip, width, strip);
    if (band.hatched) hatch(ctx, { left, width, top: bbox.top, height: bbox.height }, color);
  }
  ctx.restore();
}

/** px of the head of a mark. */
const HEAD_PX = 5;

/** Paints the marks that lie in what is shown. */
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
    ctx.strokeStyle = resolved(color, chart.root);
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
  // From a multiple of the step, so that neighbours fit.
  for (let x = Math.floor((left - height) / step) * step; x < left + width; x += step) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** A row of coloured stretches: what held when, in order of time. Times are unix seconds. */
export type ChartRow = {
  /** Above the row; '' for the only one of a chart. */
  readonly label: string;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  /** Colour and name of the nth stretch. White is to be read on the colour. */
  readonly look: (n: number) => { readonly color: string; readonly name: string };
};

/** px. */
const LABEL_PX = 20;
const GAP_PX = 6;
const FONT_PX = 12;
/** px of a stretch that its name needs around it. */
const MARGIN_PX = 6;

/** Paints the rows below each other, over the whole height. The name stands in a stretch where it fits. */
export function paintRows(chart: uPlot, rows: readonly ChartRow[], text: string): void {
  if (rows.length === 0) return;
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const height = bbox.height / rows.length;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${FONT_PX * ratio}px system-ui, sans-serif`;
  ctx.textAlign = 'left'; // the axes leave their own
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

function paintRow(chart: uPlot, { from, to, look }: ChartRow, { top, height }: Strip): void {
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
    // What lasted shorter than a pixel is still seen.
    const width = Math.max(ratio, end - left);
    if (left + width <= paintedTo) continue;
    paintedTo = left + width;
    const { color, name } = look(n);
    ctx.fillStyle = resolved(color, chart.root);
    ctx.fillRect(left, top, width, height);
    if (width < 3 * MARGIN_PX * ratio) continue;
    const wide = ctx.measureText(name).width + 2 * MARGIN_PX * ratio;
    if (wide > width) continue;
    ctx.fillStyle = '#ffffff';
    ctx.fillText(name, left + MARGIN_PX * ratio, top + height / 2);
  }
}
