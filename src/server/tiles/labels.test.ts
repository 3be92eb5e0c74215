import { expect, test } from 'vitest';
import { COUNTRY_NAMES } from './country-names.ts';
import { letteringOf } from './labels.ts';
import { boxesOverlap, MAX_ZOOM, project, worldSizePx } from './mercator.ts';
import { PLACES } from './places.ts';
import { canWrite, textWidthPx } from './stroke-font.ts';

const zooms = Array.from({ length: MAX_ZOOM + 1 }, (_, z) => z);

test('MAP-02 every name can be written in our own letters', () => {
  const names = [...PLACES, ...COUNTRY_NAMES].flatMap(({ name }) => [name, name.toUpperCase()]);
  expect(names.filter((name) => !canWrite(name))).toEqual([]);
  expect(canWrite('12,5 km NW')).toBe(true);
  expect(canWrite('Ж')).toBe(false);
});

test('MAP-02 a wider text is wider, and width grows with the letters', () => {
  expect(textWidthPx('Ede', 7)).toBeLessThan(textWidthPx('Eede', 7));
  expect(textWidthPx('Ede', 14)).toBeCloseTo(2 * textWidthPx('Ede', 7), 9);
  expect(textWidthPx('', 7)).toBe(0);
});

test.each(zooms)('MAP-02 at zoom %i no name covers another', (z) => {
  const { labels } = letteringOf(z);
  const covering = labels.flatMap((one, at) =>
    labels.slice(at + 1).filter((other) => boxesOverlap(one.box, other.box)),
  );
  expect(covering.map(({ text }) => text)).toEqual([]);
});

test('MAP-02 the first screen (zoom 7) names the country and its large cities; every name has its dot', () => {
  const { labels, dots } = letteringOf(7);
  const texts = labels.map(({ text }) => text);
  expect(texts).toEqual(
    expect.arrayContaining(['NEDERLAND', 'Amsterdam', 'Utrecht', 'Groningen', 'Eindhoven']),
  );
  expect(dots).toHaveLength(labels.filter(({ look }) => look === 'place').length);
  const utrecht = project(5.12, 52.09);
  expect(dots).toContainEqual({ x: utrecht.x * worldSizePx(7), y: utrecht.y * worldSizePx(7) });
});

test('MAP-02 no Dutch place of the list lies outside the country', () => {
  // A slip in a coordinate shows as a place far off: all but the foreign ones lie in this rectangle or are listed twice.
  const doubles = PLACES.filter(
    (place) => PLACES.filter(({ name }) => name === place.name).length > 1 || place.minZoom > MAX_ZOOM,
  );
  expect(doubles).toEqual([]);
  const late = PLACES.filter(({ minZoom }) => minZoom >= 8);
  const off = late.filter(
    ({ longitude, latitude }) => longitude < 3.3 || longitude > 7.25 || latitude < 50.7 || latitude > 53.5,
  );
  expect(off).toEqual([]);
});
