/** What a chart is painted with. Colours are the page's own, so that they follow the theme. */
import type uPlot from 'uplot';

/** A colour as CSS writes it, `var(--…)` included. */
export type Color = string;

export type ChartLine = {
  readonly label: string;
  readonly color: Color;
  /** px drawn, px left out, …; lines are told apart by it too. */
  readonly dash?: readonly number[];
  /** One per time; null: nothing known, the line is broken. */
  readonly values: readonly (number | null)[];
};

/** Something that lasted, behind the lines. Unix seconds. */
export type ChartBand = {
  readonly from: number;
  readonly to: number;
  readonly color: Color;
  /** Hatched, so that it differs by more than its colour. */
  readonly hatched?: boolean;
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
