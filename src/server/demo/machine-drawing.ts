import type { DemoModel } from '#shared/demo/models.ts';
import { machineParts, type Paint } from './machine-parts.ts';
import { lettering } from './stroke-letters.ts';

/** Pixels; square, since the portal shows a photo as a circle. */
export const DRAWING_SIDE = 640;

/** Each make of the demo paints its machines in its own colour. */
export const PAINTS: Readonly<Record<string, Paint>> = {
  Stroomer: { body: '#e0660f', dark: '#a34606' },
  Bouwkracht: { body: '#d9a30b', dark: '#8f6a04' },
  Voltaro: { body: '#2d6ca8', dark: '#1b4672' },
  Railhand: { body: '#b7372d', dark: '#7b1f18' },
  Kipstra: { body: '#3c7f5a', dark: '#23533a' },
};
const INK = '#2b2724';
const PAPER = '#f7f5f2';

/** Kilowatt-hours make a machine large: 0.7 for the smallest of the demo, 1 for the largest. */
const sizeOf = ({ capacitiesKwh }: DemoModel): number =>
  0.62 + 0.02 * Math.sqrt(capacitiesKwh.reduce((sum, kwh) => sum + kwh, 0));

/**
 * The side view of a model, as SVG without any text element: what stands in for a photo, and says that it does.
 * @throws Error for a make that has no colour here
 */
export function machineDrawing(model: DemoModel): string {
  const paint = PAINTS[model.brand];
  if (!paint) throw new Error(`The demo has no colour for the make ${model.brand}.`);
  const [code = ''] = model.model.split(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${DRAWING_SIDE}" height="${DRAWING_SIDE}" viewBox="0 0 640 640">
  <rect width="640" height="640" fill="${PAPER}"/>
  <circle cx="450" cy="180" r="76" fill="#fbe3d0"/>
  <path d="M0 386q90 -44 190 -20t210 -18t240 26V640H0z" fill="#ece4da"/>
  <path d="M0 456H640V640H0z" fill="#ddd0c1"/>${model.kind === 'rail-crane' ? RAILS : ''}
  <g transform="translate(286 458) scale(${sizeOf(model).toFixed(3)})">${machineParts(model, paint)}</g>
  ${lettering(code, { x: 320, y: 490, height: 36, colour: paint.dark })}
  ${lettering('simulatie', { x: 320, y: 553, height: 30, colour: INK })}
</svg>`;
}

const RAILS = `<path d="M40 470H600" stroke="${INK}" stroke-width="8" stroke-dasharray="26 34"/><path d="M0 460H640" stroke="#857c74" stroke-width="7"/>`;
