import { TOWNS } from '#shared/domain/towns.ts';
import { COUNTRY_NAMES } from './country-names.ts';
import { projectToMercator, worldSizePx } from './mercator.ts';
import { type TextStyle, textWidthPx } from './text-path.ts';

type Box = { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number };

/** A name on the map of one zoom. All numbers are pixels of the whole world at that zoom; (x, y) is the start of the baseline. */
export type Label = {
  readonly text: string;
  readonly look: 'place' | 'country';
  readonly x: number;
  readonly y: number;
  readonly style: TextStyle;
  readonly box: Box;
};

/** The names and the place dots of one zoom. */
export type MapLettering = {
  readonly labels: readonly Label[];
  readonly dots: readonly { readonly x: number; readonly y: number }[];
};

const DOT_GAP_PX = 6;
const AIR_PX = 4;
const COUNTRY_SPACING = 0.3;

/**
 * Returns which names are shown in the whole world at a zoom, and where: names of places to the right of their dots or, if there is no
 * room, to the left, and names of countries centred. Leaves out a place whose name would cover one that is placed already. All tiles use
 * this result, so that a name that crosses the edge between tiles is drawn without a break.
 */
export function placeMapLabels(z: number): MapLettering {
  const size = worldSizePx(z);
  const labels: Label[] = [];
  const dots: { x: number; y: number }[] = [];
  const isFree = ({ box }: Label) => labels.every((other) => !touches(box, other.box));

  for (const { name, longitude, latitude, minZoom } of TOWNS) {
    if (z < minZoom) continue;
    const at = projectToMercator(longitude, latitude);
    const x = at.x * size;
    const y = at.y * size;
    const style = { capPx: z - minZoom >= 2 ? 8.6 : 7.6 };
    const width = textWidthPx(name, style);
    const label = [x + DOT_GAP_PX, x - DOT_GAP_PX - width]
      .map((start) => labelAt(name, 'place', start, y + style.capPx / 2, style, width))
      .find(isFree);
    if (label === undefined) continue;
    labels.push(label);
    dots.push({ x, y });
  }
  for (const { name, longitude, latitude, minZoom, maxZoom } of COUNTRY_NAMES) {
    if (z < minZoom || z > maxZoom) continue;
    const text = name.toUpperCase();
    const style = { capPx: z >= 6 ? 9.5 : 7.4, spacing: COUNTRY_SPACING };
    const width = textWidthPx(text, style);
    const at = projectToMercator(longitude, latitude);
    const label = labelAt(text, 'country', at.x * size - width / 2, at.y * size, style, width);
    if (isFree(label)) labels.push(label);
  }
  return { labels, dots };
}

function labelAt(
  text: string,
  look: Label['look'],
  x: number,
  y: number,
  style: TextStyle,
  width: number,
): Label {
  // A diaeresis rises above the capitals, a descender hangs below the baseline.
  const box = { minX: x, minY: y - style.capPx * 1.3, maxX: x + width, maxY: y + style.capPx * 0.3 };
  return { text, look, x, y, style, box };
}

function touches(a: Box, b: Box): boolean {
  return a.minX < b.maxX + AIR_PX && a.maxX > b.minX - AIR_PX && a.minY < b.maxY + 1 && a.maxY > b.minY - 1;
}
