import { expect, test } from 'vitest';
import { distanceMetres } from '#shared/domain/distance.ts';
import type { Position } from '#shared/domain/position.ts';
import { nearestFirst } from './nearest-first.ts';

const utrecht = { lat: 52.0907, lon: 5.1214 };
const amsterdam = { lat: 52.3676, lon: 4.9041 };
const maastricht = { lat: 50.8514, lon: 5.691 };

type Place = { readonly name: string; readonly at?: Position };
const places: Place[] = [
  { name: 'Maastricht', at: maastricht },
  { name: 'nowhere 1' },
  { name: 'Amsterdam', at: amsterdam },
  { name: 'nowhere 2' },
  { name: 'Utrecht', at: utrecht },
  { name: 'Utrecht again', at: utrecht },
];
const metresFrom = (from: Position) => (to: Position) => distanceMetres(from, to);
const order = (from: Position | undefined, items = places) =>
  nearestFirst(items, (place) => place.at, from && metresFrom(from)).map(({ item }) => item.name);

test('nearby machines are sorted by distance, those without a position last (MAP-09)', () => {
  const expected = ['Utrecht', 'Utrecht again', 'Amsterdam', 'Maastricht', 'nowhere 1', 'nowhere 2'];
  expect(order({ lat: 52.1, lon: 5.1 })).toEqual(expected);
});

test('nearby machines keep the given order, without distances, if the user’s location is unknown (MAP-09)', () => {
  expect(order(undefined)).toEqual(places.map(({ name }) => name));
  expect(
    nearestFirst(places, (place) => place.at, undefined).every(({ metres }) => metres === undefined),
  ).toBe(true);
});

test('an empty list stays empty, and a machine at the user’s location has distance 0 (MAP-09)', () => {
  expect(order(utrecht, [])).toEqual([]);
  expect(nearestFirst([places[4]!], (place) => place.at, metresFrom(utrecht))).toEqual([
    { item: places[4], metres: 0 },
  ]);
});
