import { expect, test } from 'vitest';
import { placeNamer, placePhrase } from './place-text.ts';

const circle = (lat: number, radiusMetres: number) => ({ centre: { lat, lon: 5 }, radiusMetres });
const YARD = { lat: 52, lon: 5 };
const NOW = Date.UTC(2026, 10, 20);

test('a place is named by its terrein, else its project, else the nearest town (53.13)', () => {
  const nameOf = placeNamer(
    [{ name: 'Werf Noord', areas: [circle(52, 100)] }],
    [{ name: 'Sluis', areas: [circle(52, 50), circle(52.01, 100)], from: NOW - 1, to: NOW + 1 }],
  );
  expect(nameOf(YARD, NOW)).toEqual({ kind: 'terrein', name: 'Werf Noord' });
  expect(nameOf({ lat: 52.01, lon: 5 }, NOW)).toEqual({ kind: 'project', name: 'Sluis' });
  expect(nameOf({ lat: 52.01, lon: 5 }, NOW + 1).kind).toBe('town');
  expect(nameOf({ lat: 52.0116, lon: 4.7105 }, NOW)).toEqual({ kind: 'town', name: 'Gouda' });
});

test('the smallest of overlapping terreinen names the place; of two equally large ones the first by name (53.13)', () => {
  const nameOf = placeNamer(
    [
      { name: 'Groot', areas: [circle(52, 300)] },
      { name: 'B', areas: [circle(52, 100)] },
      { name: 'A', areas: [circle(52, 100)] },
    ],
    [],
  );
  expect(nameOf(YARD, NOW).name).toBe('A');
  expect(nameOf({ lat: 52.002, lon: 5 }, NOW).name).toBe('Groot');
});

test('a position inside a terrein of 500 corners has the name of the terrein, and a position beside it does not (53.13)', () => {
  const corners = Array.from({ length: 500 }, (_, n) => {
    const angle = (n / 500) * 2 * Math.PI;
    return { lat: 52 + 0.01 * Math.sin(angle), lon: 5 + 0.01 * Math.cos(angle) };
  });
  const nameOf = placeNamer([{ name: 'Rond', areas: [{ corners }] }], []);
  expect(nameOf({ lat: 52.0099, lon: 5 }, NOW).name).toBe('Rond');
  expect(nameOf({ lat: 52.0095, lon: 5.0095 }, NOW).kind).toBe('town');
});

test.each([
  [{ kind: 'terrein', name: 'Werf' }, 'op terrein Werf'],
  [{ kind: 'project', name: 'Sluis' }, 'op project Sluis'],
  [{ kind: 'town', name: 'Gouda' }, 'in Gouda'],
  [{ kind: 'town', name: '5 km van Gouda' }, '5 km van Gouda'],
] as const)('in a sentence the place %j is written as %s (53.13)', (place, phrase) => {
  expect(placePhrase(place)).toBe(phrase);
});
