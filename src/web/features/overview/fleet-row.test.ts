import { expect, test } from 'vitest';
import type { FleetFigure } from '#shared/contract/fleet-figures.ts';
import { placeNamer } from '#shared/domain/place-text.ts';
import { reuseUnchanged } from '#web/live/live-snapshot.ts';
import { fleetWithStates } from '#web/machines/fleet-filter.ts';
import { aLiveEntry } from '#web/test/live-example.ts';
import { columnsOf, withColumns } from './columns.ts';
import {
  type CellText,
  COLUMN_KEYS,
  chargeLastsUntil,
  chargeLastsUntilCell,
  chargeTimeCell,
  distanceCell,
  energyTodayCell,
  type FleetRowContext,
  placeCell,
  runningTimeTodayCell,
  searchTextOf,
  sortRows,
  USUAL_COLUMNS,
  USUAL_SORT,
  workTimeCell,
} from './fleet-row.ts';
import { chargeReachTimeOf, nextInstantOfClock, withChargeReachTime } from './reach-filter.tsx';

/** The time 06:45 in Amsterdam. */
const NOW = Date.UTC(2026, 10, 23, 5, 45);
const FRESH = { GMT_UNIX: NOW / 1000, Soc2: 60 };
const CHARGES = { IsCharging1: 1, ChargingCurrent: 20, ChargingVoltage: 400 };
const POWER: FleetFigure = { power: 4 };
const NO_AREAS = placeNamer([], []);

/** A machine with two batteries of 20 and 30 kWh by default. */
function machine(serial: string, liveData: Record<string, number>, capacities: (number | null)[] = [20, 30]) {
  const entry = aLiveEntry(serial, { ...FRESH, ...liveData });
  const batteries = capacities.map((capacity) => ({ capacity }));
  const seen = reuseUnchanged({ ...entry, metadata: { ...entry.metadata, batteries } }, undefined);
  const [row] = fleetWithStates([seen], NOW, { seesPositions: true });
  return row!;
}
const known = (figure?: FleetFigure, more: Partial<FleetRowContext> = {}): FleetRowContext => ({
  figures: figure ? { M: figure } : {},
  own: undefined,
  nameOf: (_, at) => NO_AREAS(at, NOW),
  now: NOW,
  ...more,
});
const forecast = { from: '2026-11-23T06:55:00Z', to: '2026-11-23T07:10:00Z' };
const today = { running: 3_960, out: 12.34, driven: 0, carried: 0, coverage: 1 };
const at = { lat: 52.1, lon: 5.2 };

test.each<
  [
    string,
    (row: ReturnType<typeof machine>, all: FleetRowContext) => CellText,
    ReturnType<typeof machine>,
    FleetRowContext,
    string,
  ]
>([
  // Energy left in the usable 80 % of both batteries: 0.008 x (80 x 20 + 60 x 30) = 27.2 kWh.
  ['work', workTimeCell, machine('M', {}), known(POWER), '06:48'],
  [
    'work of a silent machine',
    workTimeCell,
    machine('M', { GMT_UNIX: 1 }),
    known(POWER),
    '-- gegevens te oud',
  ],
  [
    'work without capacity',
    workTimeCell,
    machine('M', {}, [20, null]),
    known(POWER),
    '-- capaciteit van accu 2 niet ingevuld',
  ],
  ['work without level', workTimeCell, machine('M', {}, [20, 30, 40]), known(POWER), '-- accu 3 zwijgt'],
  ['work without power', workTimeCell, machine('M', {}), known({ power: null }), '-- vermogen niet bekend'],
  ['work before the figures are loaded', workTimeCell, machine('M', {}), known(), '-- nog niet geladen'],
  [
    'work of another machine’s figures',
    workTimeCell,
    machine('constructor', {}),
    known(POWER),
    '-- nog niet geladen',
  ],
  // Charging the missing 12.8 kWh at 8 kW takes 1 h 36 min.
  ['charge', chargeTimeCell, machine('M', CHARGES), known(POWER), '01:36 ca. 08:21'],
  [
    'charge by the forecast',
    chargeTimeCell,
    machine('M', CHARGES),
    known({ ...POWER, forecast }),
    '01:18 vol ca. 07:55 tot 08:10',
  ],
  [
    'charge without capacity',
    chargeTimeCell,
    machine('M', CHARGES, [20, null]),
    known(),
    '-- capaciteit van accu 2 niet ingevuld',
  ],
  [
    'charge by the forecast, without capacity',
    chargeTimeCell,
    machine('M', CHARGES, [20, null]),
    known({ ...POWER, forecast }),
    '01:18 vol ca. 07:55 tot 08:10',
  ],
  [
    'until when it lasts',
    chargeLastsUntilCell,
    machine('M', {}),
    known({ ...POWER, enough: { until: '2026-11-23T15:42:00Z' } }),
    'tot ca. 16:40',
  ],
  [
    'that it lasts',
    chargeLastsUntilCell,
    machine('M', {}),
    known({ ...POWER, enough: { until: null } }),
    'hele dag',
  ],
  [
    'until when it lasts, with little history',
    chargeLastsUntilCell,
    machine('M', {}),
    known(POWER),
    '-- maandag niet bekend',
  ],
  [
    'until when it lasts, before the figures are loaded',
    chargeLastsUntilCell,
    machine('M', {}),
    known(undefined, { figures: undefined }),
    '-- nog niet geladen',
  ],
  [
    'until when it lasts, while the machine charges',
    chargeLastsUntilCell,
    machine('M', CHARGES),
    known({ ...POWER, enough: { until: null } }),
    '-- laadt',
  ],
  ['charge of a machine that does not charge', chargeTimeCell, machine('M', {}), known(), ' laadt niet'],
  [
    'charge of a silent machine',
    chargeTimeCell,
    machine('M', { ...CHARGES, GMT_UNIX: 1 }),
    known(),
    '-- gegevens te oud',
  ],
  [
    'work of a machine that was never seen',
    workTimeCell,
    machine('M', { GMT_UNIX: 0 }),
    known(POWER),
    '-- nog geen gegevens',
  ],
  [
    'charge of a machine that was never seen',
    chargeTimeCell,
    machine('M', { GMT_UNIX: 0 }),
    known(),
    '-- nog geen gegevens',
  ],
  ['hours', runningTimeTodayCell, machine('M', {}), known({ ...POWER, today }), '01:06'],
  [
    'hours with gaps',
    runningTimeTodayCell,
    machine('M', {}),
    known({ ...POWER, today: { ...today, coverage: 0.9 } }),
    '01:06 onvolledig',
  ],
  [
    'hours, and how far it was driven and carried',
    runningTimeTodayCell,
    machine('M', {}),
    known({ ...POWER, today: { ...today, driven: 6_100, carried: 75_000 } }),
    '01:06 vervoerd 75,0 km, gereden 6,1 km',
  ],
  [
    'hours of a day without data',
    runningTimeTodayCell,
    machine('M', {}),
    known(POWER),
    '-- vandaag niets gehoord',
  ],
  ['energy', energyTodayCell, machine('M', {}), known({ ...POWER, today }), '12,3'],
  [
    'energy not known',
    energyTodayCell,
    machine('M', {}),
    known({ ...POWER, today: { ...today, out: null } }),
    '-- stroom niet bekend',
  ],
  ['place', placeCell, machine('M', {}), known(POWER), 'Zeist'],
  [
    'place by project',
    placeCell,
    machine('M', {}),
    known({ ...POWER, project: { _id: 1, projectName: 'Kade' } }),
    'Kade Zeist',
  ],
  [
    'place by terrein, before its project',
    placeCell,
    machine('M', {}),
    known(
      { ...POWER, project: { _id: 1, projectName: 'Kade' } },
      { nameOf: () => ({ kind: 'terrein', name: 'Werf Noord' }) },
    ),
    'Werf Noord',
  ],
  ['no place', placeCell, machine('M', { LATITUDE: 0 }), known(POWER), '-- geen positie'],
  ['distance', distanceCell, machine('M', {}), known(POWER, { own: at }), '0 m'],
])('a machine’s row shows %s, or why it is unknown (15.1i)', (_, textOf, row, all, expected) => {
  const { value, more } = textOf(row, all);
  expect(more === undefined ? value : `${value} ${more}`).toBe(expected);
});

const ROWS = [
  machine('b', { Soc1: 90 }),
  machine('low', { Soc1: 5, Soc2: 5 }),
  machine('silent', { GMT_UNIX: 1 }),
  machine('a', { Soc1: 60, ...CHARGES }),
];
const order = (sort: typeof USUAL_SORT, figures = known().figures) =>
  sortRows(ROWS, sort, { ...known(), figures })
    .map(({ entry }) => entry.metadata.serialNumber)
    .join();

test.each<[string, boolean, string]>([
  [USUAL_SORT.by, false, 'low,b,silent,a'],
  ['machine', false, 'a,b,low,silent'],
  ['machine', true, 'silent,low,b,a'],
  ['accu', false, 'low,a,b,silent'],
  ['accu', true, 'b,a,low,silent'],
  ['laadtijd', true, 'a,b,low,silent'],
  ['status', false, 'a,b,low,silent'],
  ['gezien', false, 'silent,b,low,a'],
])(
  'rows are sorted by %s, descending: %s, with unknown values last (15.1j)',
  (by, isDescending, expected) => {
    expect(order({ by, isDescending })).toBe(expected);
  },
);

test('rows are sorted by remaining work time (15.1j)', () => {
  const figures = { b: { power: 10 }, low: { power: 1 }, a: { power: 2 }, silent: { power: 1 } };
  expect(order({ by: 'werktijd', isDescending: false }, figures)).toBe('low,b,a,silent');
});

test('rows are sorted by when the charge runs out, and filtered by whether it lasts until a time (53.2)', () => {
  const until = (iso: string | null) => ({ power: 1, enough: { until: iso } });
  const figures = { b: until(null), low: until('2026-11-23T15:00:00Z'), a: until(null), silent: until(null) };
  expect(order({ by: 'genoeg', isDescending: false }, figures)).toBe('low,b,silent,a');
  const short = (time: string) =>
    ROWS.filter((row) => chargeLastsUntil(row, { ...known(), figures }, Date.parse(time)) === false).map(
      ({ entry }) => entry.metadata.serialNumber,
    );
  expect(short('2026-11-23T15:00:01Z')).toEqual(['low']);
  expect(short('2026-11-23T15:00:00Z')).toEqual([]);
});

test('nextClock returns the next instant at which the clock shows the time (53.2)', () => {
  expect(nextInstantOfClock('16:00', NOW)).toBe(Date.parse('2026-11-23T15:00:00Z'));
  expect(nextInstantOfClock('06:45', NOW)).toBe(Date.parse('2026-11-24T05:45:00Z'));
  expect(nextInstantOfClock('16', NOW)).toBeUndefined();
  const search = withChargeReachTime(new URLSearchParams('staat=uit'), '16:00');
  expect(chargeReachTimeOf(search)).toBe('16:00');
  expect(withChargeReachTime(search, '').toString()).toBe('staat=uit');
});

test('chosen columns are read from and written to the address (15.1j)', () => {
  expect(columnsOf(new URLSearchParams())).toEqual(USUAL_COLUMNS);
  expect(columnsOf(new URLSearchParams('kolommen=kwh,x,accu'))).toEqual(['machine', 'accu', 'kwh']);
  const kept = withColumns(new URLSearchParams('staat=uit'), ['kwh', 'machine', 'accu']);
  expect(decodeURIComponent(kept.toString())).toBe('staat=uit&kolommen=accu,kwh');
  expect(withColumns(kept, USUAL_COLUMNS).toString()).toBe('staat=uit');
  expect(columnsOf(withColumns(kept, COLUMN_KEYS))).toEqual(COLUMN_KEYS);
});

test('the search text of a machine has labels, project and place, without the distance to the place (53.26)', () => {
  const row = machine('M', { LATITUDE: 52.09, LONGITUDE: 5.05 });
  const labels = [{ labelName: 'Nachtploeg' }, { labelName: 'Huur' }];
  const project = { project: { projectName: 'A12' } } as FleetFigure;
  expect(placeCell(row, known()).value).toMatch(/^\d+ km van Utrecht$/);
  expect(searchTextOf(row, known(), labels)).toBe('Nachtploeg\nHuur\n\n km van Utrecht');
  expect(searchTextOf(row, known(project), [])).toBe('A12\n km van Utrecht');
});
