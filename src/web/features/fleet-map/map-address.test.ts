import { expect, test } from 'vitest';
import { hasMapState, type MapState, mapStateOf, withMapState } from './map-address.ts';
import { WHOLE_COUNTRY } from './opening-view.ts';

const AS_IT_STARTS: MapState = { view: WHOLE_COUNTRY, layer: 'street', opened: undefined };
const opening = () => WHOLE_COUNTRY;
const of = (search: string) => mapStateOf(new URLSearchParams(search), opening);

test.each<[string, MapState]>([
  ['kaart=52.1326,5.2913,7', AS_IT_STARTS],
  [
    'kaart=53.21,6.56,17&laag=satellite&machine=EX/1 &',
    {
      view: { centre: { lat: 53.21, lon: 6.56 }, zoom: 17 },
      layer: 'satellite',
      opened: { kind: 'machine', id: 'EX/1 ' },
    },
  ],
  [
    'kaart=-33.85678,151.21533,19&plek=-33.85678,151.21533',
    {
      view: { centre: { lat: -33.85678, lon: 151.21533 }, zoom: 19 },
      layer: 'street',
      opened: { kind: 'spot', at: { lat: -33.85678, lon: 151.21533 } },
    },
  ],
])('the state of the map is read from the address and written back: %s (15.3e)', (search, state) => {
  expect(of(search)).toEqual(state);
  expect(mapStateOf(withMapState(new URLSearchParams(), state), opening)).toEqual(state);
});

test.each([
  '',
  'kaart=',
  'kaart=52,5',
  'kaart=91,5,7',
  'kaart=52,5,7.5',
  'kaart=52,5,99',
  'kaart=52,,7',
  'kaart=a,b,c',
  'kaart=NaN,Infinity,7',
  'laag=moon',
  'machine=',
  `machine=${'x'.repeat(201)}`,
  'plek=52',
  'plek=52,181',
])('invalid values in the address of the map are ignored: %s (15.3e)', (search) => {
  expect(of(search)).toEqual(AS_IT_STARTS);
});

test('writing the map’s state keeps other parameters of the address, and removes those of the map that no longer apply (15.3e)', () => {
  const search = withMapState(new URLSearchParams('staat=laden&machine=EX-1&laag=satellite'), AS_IT_STARTS);
  expect(search.toString()).toBe('staat=laden&kaart=52.1326%2C5.2913%2C7');
  expect(hasMapState(search)).toBe(true);
  expect(hasMapState(new URLSearchParams('staat=laden'))).toBe(false);
});
