import { describe, expect, test } from 'vitest';
import { aFleetEntry } from '#web/test/live-example.ts';
import { findOriginByKey, findOrigins, metresFrom, type NamedArea, type OriginSources } from './origin.ts';

const CIRCLE = { centre: { lat: 52.3, lon: 5.6 }, radiusMetres: 500 };
const SQUARE = {
  corners: [
    { lat: 52, lon: 5 },
    { lat: 52, lon: 5.1 },
    { lat: 52.1, lon: 5.1 },
    { lat: 52.1, lon: 5 },
  ],
};
const project = (key: string, name: string, areas: NamedArea['areas'] = []): NamedArea => ({
  key,
  name,
  sort: 'Project',
  areas,
});
function machine(serialNumber: string, alias: string, at: Record<string, number> = {}) {
  const seen = aFleetEntry(serialNumber, at);
  return { ...seen, metadata: { ...seen.metadata, alias } };
}
const KNOWN: OriginSources = {
  areas: [
    project('project-1', 'Sluis Zwolle', [CIRCLE]),
    project('project-2', 'Kade', [SQUARE, CIRCLE]),
    project('project-3', 'Kantoor'),
  ],
  fleet: [
    machine('EX-12', 'Rups Zwolle'),
    machine('EX-13', 'Kraan'),
    machine('EX-14', 'Zoek', { LATITUDE: 0 }),
  ],
};
const namesOf = (text: string) => findOrigins(text, KNOWN).origins.map(({ sort, name }) => `${sort} ${name}`);

describe('findOrigins', () => {
  test.each([
    ['zwolle', ['Plaats Zwolle', 'Project Sluis Zwolle', 'Machine Rups Zwolle']],
    ['Rups  zw', ['Machine Rups Zwolle']],
    ['#ex-13', ['Machine Kraan']],
    ['kad', ['Project Kade']],
    ['s-hertogen', ["Plaats 's-Hertogenbosch"]],
    ['52,01 4,71', ['Coördinaten 52.01, 4.71']],
    ['52.01N, 4.71E', ['Coördinaten 52.01, 4.71']],
    ['', []],
  ])('finds %s among projects, machines, towns and coordinates (53.23)', (text, names) => {
    expect(namesOf(text)).toEqual(names);
    expect(findOrigins(text, KNOWN).error).toBeUndefined();
  });

  test.each([
    ['Nergenshuizen', /^Niets gevonden\. .*52,01 4,71/],
    ['91,5 4,71', /^Deze coördinaten bestaan niet/],
    ['Kantoor', /^Project Kantoor heeft geen gebied op de kaart/],
    ['Zoek', /^Niets gevonden/],
  ])('explains in Dutch why it finds nothing for %s (53.23)', (text, error) => {
    expect(findOrigins(text, KNOWN)).toEqual({ origins: [], error: expect.stringMatching(error) });
  });

  test('finds at most six origins for a typed text', () => {
    expect(namesOf('e')).toHaveLength(6);
  });
});

describe('originOf', () => {
  test.each(['zwolle', 'kade', 'rups', "'s-hertogenbosch", '-33,9 18,4', '52.01 4.71'])(
    'finds each search result for %s again by its key in the page’s address',
    (text) => {
      for (const origin of findOrigins(text, KNOWN).origins)
        expect(findOriginByKey(origin.key, KNOWN)).toEqual(origin);
    },
  );

  test.each([null, '', 'project-99', 'machine-EX-99', 'machine-EX-14', 'plaats-Nergens', 'x'])(
    'returns undefined for the invalid or unknown key %s',
    (key) => {
      expect(findOriginByKey(key, KNOWN)).toBeUndefined();
    },
  );
});

describe('metresFrom', () => {
  test('measures from the edge of the nearest area of a project, and returns 0 inside an area', () => {
    const kade = findOriginByKey('project-2', KNOWN)!;
    expect(metresFrom(kade, { lat: 52.05, lon: 5.05 })).toBe(0);
    expect(metresFrom(kade, { lat: 52.3, lon: 5.6 })).toBe(0);
    expect(metresFrom(kade, { lat: 52.11, lon: 5.05 })).toBeCloseTo(1112, -1);
  });

  test('measures from typed coordinates as the great-circle distance', () => {
    const point = findOriginByKey('52.01,4.71', KNOWN)!;
    expect(metresFrom(point, { lat: 52.02, lon: 4.71 })).toBeCloseTo(1112, -1);
  });
});
