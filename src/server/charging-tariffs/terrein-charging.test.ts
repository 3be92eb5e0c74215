import { expect, test } from 'vitest';
import { areaSquareMetres } from '#shared/domain/area.ts';
import { createHourlyPriceLookup } from '#shared/domain/charging-tariffs.ts';
import { placeNamer } from '#shared/domain/place-text.ts';
import { terreinOfSession } from './terrein-charging.ts';

const CENTRE = { lat: 52, lon: 5 };
const circle = (radiusMetres: number) => ({ centre: CENTRE, radiusMetres });

/** Two yards with the same size in whole m2. The second by name is smaller by a fraction of a m2. */
const YARDS = [
  { id: 1, name: 'Haven', areas: [circle(50.001)] },
  { id: 2, name: 'Werf', areas: [circle(50)] },
];

test('a session on two terreinen of equal rounded size has the price of the terrein whose name is shown as its place (53.13, 53.32)', () => {
  const sizes = YARDS.map(({ areas: [area] }) => areaSquareMetres(area ?? circle(0)));
  expect(sizes[0]).toBeGreaterThan(sizes[1] ?? 0);
  expect(Math.round(sizes[0] ?? 0)).toBe(Math.round(sizes[1] ?? 0));
  const terreinen = YARDS.map(({ id, areas }) => ({
    id,
    areas,
    organizationId: 9,
    until: Number.POSITIVE_INFINITY,
    price: createHourlyPriceLookup([]),
  }));
  const prices = { of: () => undefined, terreinen, tariffs: () => [] };
  const session = { from: 0, latitude: CENTRE.lat, longitude: CENTRE.lon, terreinId: null };
  expect(terreinOfSession(prices, 9, session)?.id).toBe(1);
  expect(placeNamer(YARDS, [])(CENTRE, 0)).toEqual({ kind: 'terrein', name: 'Haven' });
});
