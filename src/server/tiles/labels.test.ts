import { expect, test } from 'vitest';
import { TOWNS } from '#shared/domain/towns.ts';
import { COUNTRY_NAMES } from './country-names.ts';
import { type Label, placeMapLabels } from './labels.ts';
import { MAX_ZOOM, projectToMercator, worldSizePx } from './mercator.ts';
import { textToSvgPath, textWidthPx } from './text-path.ts';

const zooms = Array.from({ length: MAX_ZOOM + 1 }, (_, z) => z);
const PATH = /^(?:[MLQCZ]|-?\d+(?:\.\d)?|[ ])+$/;

/** Returns the box around all points of a path, including the control points of its curves. */
function inkOf(path: string): Label['box'] {
  const numbers = [...path.matchAll(/-?[\d.]+/g)].map(Number);
  const xs = numbers.filter((_, at) => at % 2 === 0);
  const ys = numbers.filter((_, at) => at % 2 === 1);
  return {
    minX: Math.min(...xs),
    minY: Math.min(...ys),
    maxX: Math.max(...xs),
    maxY: Math.max(...ys),
  };
}

function boxesOverlap(a: Label['box'], b: Label['box']): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}

test('the font has every letter of the names (MAP-02)', () => {
  for (const { name } of [...TOWNS, ...COUNTRY_NAMES]) {
    expect(textToSvgPath(name, 0, 0, { capPx: 7 })).toMatch(PATH);
    expect(textToSvgPath(name.toUpperCase(), 0, 0, { capPx: 7 })).toMatch(PATH);
  }
  expect(textToSvgPath('12,5 km NW', 0, 0, { capPx: 7 })).toMatch(PATH);
  expect(() => textToSvgPath('Ж', 0, 0, { capPx: 7 })).toThrow('no letter Ж');
});

test.each(zooms)('at zoom %i the letters of a name stay in its box (MAP-02)', (z) => {
  for (const { text, x, y, style, box } of placeMapLabels(z).labels) {
    const { minX, minY, maxX, maxY } = inkOf(textToSvgPath(text, x, y, style));
    // The tolerance is half a pixel, because some letters extend beyond their advance width.
    expect(minX).toBeGreaterThan(box.minX - 0.5);
    expect(maxX).toBeLessThan(box.maxX + 0.5);
    expect(minY).toBeGreaterThan(box.minY);
    expect(maxY).toBeLessThan(box.maxY);
  }
});

test('the width of a text grows with the number and the size of its letters (MAP-02)', () => {
  const width = textWidthPx('Ede', { capPx: 7 });
  expect(width).toBeLessThan(textWidthPx('Eede', { capPx: 7 }));
  expect(textWidthPx('Ede', { capPx: 14 })).toBeCloseTo(2 * width, 9);
  expect(textWidthPx('Ede', { capPx: 7, spacing: 0.5 })).toBeCloseTo(width + 7, 9);
  expect(textWidthPx('', { capPx: 7 })).toBe(0);
});

test.each(zooms)('at zoom %i no name covers another (MAP-02)', (z) => {
  const { labels } = placeMapLabels(z);
  const covering = labels.flatMap((one, at) =>
    labels.slice(at + 1).filter((other) => boxesOverlap(one.box, other.box)),
  );
  expect(covering.map(({ text }) => text)).toEqual([]);
});

test('the first screen (zoom 7) names the country and its large cities, and every city has a dot (MAP-02)', () => {
  const { labels, dots } = placeMapLabels(7);
  const texts = labels.map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining(['NEDERLAND', 'Amsterdam', 'Utrecht', 'Groningen', 'Eindhoven']),
  );
  expect(dots).toHaveLength(labels.filter(({ look }) => look === 'place').length);
  const utrecht = projectToMercator(5.12, 52.09);
  expect(dots).toContainEqual({ x: utrecht.x * worldSizePx(7), y: utrecht.y * worldSizePx(7) });
});

test('each town is listed once, and each town that is shown from zoom 8 on lies in the Netherlands (MAP-02)', () => {
  // A typing error could list a town twice, or move a town out of the rectangle around the Netherlands.
  const doubles = TOWNS.filter(
    (place) => TOWNS.filter(({ name }) => name === place.name).length > 1 || place.minZoom > MAX_ZOOM,
  );
  expect(doubles).toEqual([]);
  const late = TOWNS.filter(({ minZoom }) => minZoom >= 8);
  const off = late.filter(
    ({ longitude, latitude }) => longitude < 3.3 || longitude > 7.25 || latitude < 50.7 || latitude > 53.5,
  );
  expect(off).toEqual([]);
});
