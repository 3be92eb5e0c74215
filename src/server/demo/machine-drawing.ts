import { textToSvgPath, textWidthPx } from '#server/tiles/text-path.ts';
import type { DemoModel, MachineKind } from '#shared/demo/models.ts';

type Paint = { readonly body: string; readonly dark: string };

/** Width and height in pixels; the portal shows a photo as a circle. */
export const DRAWING_SIDE = 640;

/** Colours of the demo's brands. */
export const BRAND_COLOURS: Readonly<Record<string, Paint>> = {
  Stroomer: { body: '#e0660f', dark: '#a34606' },
  Bouwkracht: { body: '#d9a30b', dark: '#8f6a04' },
  Voltaro: { body: '#2d6ca8', dark: '#1b4672' },
  Railhand: { body: '#b7372d', dark: '#7b1f18' },
  Kipstra: { body: '#3c7f5a', dark: '#23533a' },
};
const INK = '#2b2724';
const PAPER = '#f7f5f2';

/** Returns the scale of a machine by its capacity: 0.7 for the smallest of the demo, 1 for the largest. */
const sizeOf = ({ capacitiesKwh }: DemoModel): number =>
  0.62 + 0.02 * Math.sqrt(capacitiesKwh.reduce((sum, kwh) => sum + kwh, 0));

/**
 * Returns the side view of a model as SVG without text elements, with a caption that says it is not a photo.
 * @throws Error for a brand without a colour, and for a letter that is not in the font
 */
export function machineDrawing(model: DemoModel): string {
  const paint = BRAND_COLOURS[model.brand];
  if (!paint) throw new Error(`The demo has no colour for the make ${model.brand}.`);
  const [code = ''] = model.model.split(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${DRAWING_SIDE}" height="${DRAWING_SIDE}" viewBox="0 0 640 640">
  <rect width="640" height="640" fill="${PAPER}"/>
  <circle cx="450" cy="180" r="76" fill="#fbe3d0"/>
  <path d="M0 386q90 -44 190 -20t210 -18t240 26V640H0z" fill="#ece4da"/>
  <path d="M0 456H640V640H0z" fill="#ddd0c1"/>${model.kind === 'rail-crane' ? RAILS : ''}
  <g transform="translate(286 458) scale(${sizeOf(model).toFixed(3)})">${DRAWN[model.kind](model, paint)}</g>
  ${caption(code, 526, 36, paint.dark)}
  ${caption('simulatie', 583, 30, INK)}
</svg>`;
}

const RAILS = `<path d="M40 470H600" stroke="${INK}" stroke-width="8" stroke-dasharray="26 34"/><path d="M0 460H640" stroke="#857c74" stroke-width="7"/>`;

/** Returns a centred word in capitals below the machine. */
function caption(word: string, baseline: number, capPx: number, colour: string): string {
  const text = word.toUpperCase();
  const style = { capPx, spacing: 0.2 };
  const path = textToSvgPath(text, DRAWING_SIDE / 2 - textWidthPx(text, style) / 2, baseline, style);
  return `<path d="${path}" fill="${colour}"/>`;
}

const IRON = '#3a3531';
const RUBBER = '#26221f';
const GLASS = '#cfe6ee';

const wheel = (x: number, radius: number): string =>
  `<circle cx="${x}" cy="${-radius}" r="${radius}" fill="${RUBBER}"/><circle cx="${x}" cy="${-radius}" r="${radius * 0.52}" fill="#8f867d"/><circle cx="${x}" cy="${-radius}" r="${radius * 0.2}" fill="${IRON}"/>`;

const cab = (x: number, top: number, paint: Paint): string =>
  `<path d="M${x} -92V${top}h58q14 0 18 16l14 ${-92 - top - 16}z" fill="${paint.dark}"/><path d="M${x + 12} -150V${top + 14}h42q8 0 10 8l11 ${-150 - top - 22}z" fill="${GLASS}"/>`;

const limb = (points: string, width: number, colour: string): string =>
  `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** Returns one block with a bolt for each battery, from `x` to the right. */
function batteries(count: number, x: number, y: number): string {
  const block = (n: number): string =>
    `<g transform="translate(${x + n * 44} ${y})"><rect width="38" height="52" rx="6" fill="#fff"/><rect x="12" y="-6" width="14" height="8" rx="2" fill="#fff"/><path d="M22 7L9 29h9l-3 17L29 23h-9z" fill="#e0660f"/></g>`;
  return Array.from({ length: count }, (_, n) => block(n)).join('');
}

const tracks = `<rect x="-140" y="-68" width="260" height="68" rx="34" fill="${RUBBER}"/>${[
  -106, -58, -10, 38, 86,
]
  .map((x) => `<circle cx="${x}" cy="-34" r="19" fill="#8f867d"/>`)
  .join('')}<rect x="-60" y="-92" width="100" height="26" fill="${IRON}"/>`;
const axles = `<rect x="-140" y="-92" width="262" height="44" rx="8" fill="${IRON}"/>${wheel(-92, 42)}${wheel(76, 42)}`;
const railAxles = `${axles}${wheel(-152, 18)}${wheel(136, 18)}`;

const BUCKET = `<path d="M196 -96q54 -14 66 20q4 44 -40 58q-34 4 -46 -14q34 -22 20 -64z" fill="${IRON}"/>`;
const CLAMP = `<path d="M222 -100v34m0 0q-38 8 -34 54m34 -54q38 8 34 54" fill="none" stroke="${IRON}" stroke-width="16" stroke-linecap="round"/>`;

const crane = (under: string, tool: string, packs: number, paint: Paint): string =>
  `${under}${limb('48,-140 140,-312 232,-262', 30, paint.body)}${limb('232,-262 224,-100', 22, paint.dark)}${limb('70,-150 150,-268', 9, '#8f867d')}${tool}
  <path d="M-168 -92V-150q0 -46 46 -46H30v104z" fill="${paint.body}"/><path d="M-168 -92V-150q0 -46 46 -46h-8v104z" fill="${paint.dark}"/>${cab(18, -276, paint)}${batteries(packs, -122, -172)}`;

const loader = (packs: number, paint: Paint): string =>
  `${limb('70,-128 178,-74', 26, paint.dark)}<path d="M168 -126l22 -8q-6 92 86 116l-6 12H186q-34 -46 -18 -120z" fill="${IRON}"/>
  <path d="M-186 -78V-150q0 -34 34 -34H-10V-96h118v44H-160z" fill="${paint.body}"/>${cab(-8, -272, paint)}${batteries(packs, -156, -166)}${wheel(-104, 62)}${wheel(84, 62)}`;

const dumper = (packs: number, paint: Paint): string =>
  `<rect x="-186" y="-96" width="330" height="36" rx="8" fill="${IRON}"/><path d="M-226 -214H44L18 -104H-176z" fill="${paint.body}"/><path d="M-226 -214H44l-4 18H-219z" fill="${paint.dark}"/>
  <path d="M52 -60V-150h108q22 0 24 24v66z" fill="${paint.body}"/>${cab(56, -256, paint)}${batteries(packs, -132, -178)}${packs > 1 ? wheel(-156, 46) : ''}${wheel(packs > 1 ? -50 : -90, 46)}${wheel(124, 46)}`;

/** Drawings of machines that face right: about 450 units long, the origin on the ground below the middle, y downward. */
const DRAWN: Readonly<Record<MachineKind, (model: DemoModel, paint: Paint) => string>> = {
  excavator: ({ model, capacitiesKwh }, paint) =>
    crane(model.endsWith('Mobiel') ? axles : tracks, BUCKET, capacitiesKwh.length, paint),
  'mini-excavator': ({ capacitiesKwh }, paint) => crane(tracks, BUCKET, capacitiesKwh.length, paint),
  'rail-crane': ({ capacitiesKwh }, paint) => crane(railAxles, CLAMP, capacitiesKwh.length, paint),
  'wheel-loader': ({ capacitiesKwh }, paint) => loader(capacitiesKwh.length, paint),
  dumper: ({ capacitiesKwh }, paint) => dumper(capacitiesKwh.length, paint),
};
