import { expect, test } from 'vitest';
import { aFleetEntry } from '#web/test/live-example.ts';
import {
  addFilterToSearch,
  countsOf,
  type FleetFilter,
  filterFleet,
  fleetFilterOf,
  fleetWithStates,
  WHOLE_FLEET_FILTER,
} from './fleet-filter.ts';

const COLUMNS = ['accu', 'werktijd'];
const read = (search: string) => fleetFilterOf(new URLSearchParams(search), COLUMNS);

test.each<[string, Partial<FleetFilter>]>([
  ['', {}],
  ['staat=draaien', { state: 'running' }],
  ['staat=laden', { state: 'charging' }],
  ['staat=uit', { state: 'off' }],
  ['staat=stil', { state: 'silent' }],
  ['staat=aandacht', { state: 'attention' }],
  ['zoek=Gr%C3%B6te+beer', { text: 'Gröte beer' }],
  ['sorteer=accu', { sort: { by: 'accu', isDescending: false } }],
  ['sorteer=-werktijd', { sort: { by: 'werktijd', isDescending: true } }],
  [
    'staat=laden&zoek=7&sorteer=-accu',
    { state: 'charging', text: '7', sort: { by: 'accu', isDescending: true } },
  ],
])('the filter is read from and written to the address ?%s (15.1d)', (search, expected) => {
  const filter = { ...WHOLE_FLEET_FILTER, ...expected };
  expect(read(search)).toEqual(filter);
  expect(addFilterToSearch(new URLSearchParams(), filter).toString()).toBe(search);
});

test.each([
  'staat=Laden',
  'staat=',
  'staat=x&sorteer=naam',
  'sorteer=--accu',
  'sorteer=-',
  'staat=attention',
])('invalid values in the address ?%s are ignored (15.1d)', (search) =>
  expect(read(search)).toEqual(WHOLE_FLEET_FILTER),
);

test('writing a filter keeps other parameters of the address, and removes an empty filter (15.1d)', () => {
  const search = new URLSearchParams('staat=laden&kaart=9&zoek=x');
  expect(addFilterToSearch(search, WHOLE_FLEET_FILTER).toString()).toBe('kaart=9');
  expect(search.toString()).toBe('staat=laden&kaart=9&zoek=x');
});

const NOW = Date.UTC(2026, 10, 23, 5, 45);
const FRESH = { GMT_UNIX: NOW / 1000 };
const FLEET = [
  aFleetEntry('runs', { ...FRESH, MotorSpeed: 900, Soc1: 90 }),
  aFleetEntry('low', { ...FRESH, MotorSpeed: 900, Soc1: 9 }),
  aFleetEntry('charges', { ...FRESH, IsCharging1: 1, ChargingCurrent: 30, Soc1: 9 }),
  aFleetEntry('off', FRESH),
  aFleetEntry('silent', { GMT_UNIX: NOW / 1000 - 3600, MotorSpeed: 900 }),
];
const RULES = { seesPositions: true };
const judged = fleetWithStates(FLEET, NOW, RULES);
const found = (filter: Partial<FleetFilter>) =>
  filterFleet(judged, { ...WHOLE_FLEET_FILTER, ...filter }).map(({ entry }) => entry.metadata.serialNumber);

test('each machine counts for one state, and also for attention if it needs attention (15.1e)', () => {
  expect(countsOf(judged)).toEqual({ running: 2, charging: 1, off: 1, silent: 1, attention: 2 });
  expect(countsOf([])).toEqual({ running: 0, charging: 0, off: 0, silent: 0, attention: 0 });
});

test.each<[Partial<FleetFilter>, string[]]>([
  [{}, ['runs', 'low', 'charges', 'off', 'silent']],
  [{ state: 'running' }, ['runs', 'low']],
  [{ state: 'charging' }, ['charges']],
  [{ state: 'off' }, ['off']],
  [{ state: 'silent' }, ['silent']],
  [{ state: 'attention' }, ['low', 'silent']],
  [{ state: 'attention', text: 'volvo low' }, ['low']],
  [{ text: 'GRAVER s' }, ['runs', 'charges', 'silent']],
  [{ text: 'zzz' }, []],
  [{ text: ' ' }, ['runs', 'low', 'charges', 'off', 'silent']],
])('the filter %j keeps %j (15.1e)', (filter, serials) => {
  expect(found(filter)).toEqual(serials);
});

test('an unchanged machine keeps its object, so that it is not drawn again (15.1e)', () => {
  const changed = aFleetEntry('off', { ...FRESH, Soc1: 70 });
  const next = fleetWithStates(FLEET.with(3, changed), NOW, RULES, judged);
  expect(next.map((one, at) => one === judged[at])).toEqual([true, true, true, false, true]);
  const later = fleetWithStates(FLEET, NOW + 60_000, RULES, judged);
  // The text 'al 1 uur niets gehoord' is still true after a minute.
  expect(later).toBe(judged);
  const muchLater = fleetWithStates(FLEET, NOW + 3_600_000, RULES, judged);
  expect(muchLater.some((one, at) => one === judged[at])).toBe(false);
});

test('fleetWithStates returns the same with and without an earlier result to reuse, at every time (15.1e)', () => {
  const ages = [0, 30, 599, 600, 601, 3_599, 3_600, 7_200, 86_399, 86_400, 172_800];
  const fleet = [
    ...ages.map((age) => aFleetEntry(`seen ${age}`, { GMT_UNIX: NOW / 1000 - age, Soc1: 9 })),
    aFleetEntry('never', { GMT_UNIX: 0 }),
  ];
  const textsOf = (all: ReturnType<typeof fleetWithStates>) =>
    all.map(({ state, attention }) => [state, attention.map(({ words }) => words)]);
  let before = fleetWithStates(fleet, NOW, RULES);
  for (const step of [
    1, 999, 1_000, 29_999, 60_000, 570_001, 599_999, 600_001, 3_540_000, 3_600_000, 86_400_000,
  ]) {
    for (const now of [NOW + step, NOW + step - 1]) {
      before = fleetWithStates(fleet, now, RULES, before);
      expect(textsOf(before)).toEqual(textsOf(fleetWithStates(fleet, now, RULES)));
    }
  }
});
