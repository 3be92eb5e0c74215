import { expect, test } from 'vitest';
import type { LiveEntry } from '#shared/contract/live.ts';
import { sortByName, sortWorkingFirst } from './fleet-order.ts';
import type { SignalValues } from './machine-status.ts';

const OFF: SignalValues = {};
const RUNS: SignalValues = { MotorSpeed: 900 };
const CHARGES: SignalValues = { IsCharging1: 1, ChargingCurrent: 40 };

/** Returns an entry of live data. @param name 'brand|model|alias|serial' */
function entry(name: string, signals: SignalValues): LiveEntry {
  const [brand = '', model = '', alias = '', serialNumber = name] = name.split('|');
  return {
    metadata: {
      kind: 'machine',
      serialNumber,
      organization: 'bouw',
      cleanorg: 'Bouw',
      alias,
      brand,
      model,
      macaddress: '',
      loggerId: '',
      batteries: [],
      hulpstukken: [],
    },
    liveData: { LATITUDE: 0, LONGITUDE: 0, GMT_UNIX: 0, ...signals },
  };
}
const nameOf = ({ metadata: { brand, model, alias, serialNumber } }: LiveEntry) =>
  serialNumber.includes('|') ? serialNumber : [brand, model, alias, serialNumber].join('|');

/** Returns the entries in the order of the quick menu. */
const inFleetOrder = (entries: readonly LiveEntry[]): LiveEntry[] => sortWorkingFirst(sortByName(entries));

const cases: [string, LiveEntry[], string[]][] = [
  ['no machines', [], []],
  [
    'running, charging, off, whatever the name',
    [entry('A|1', OFF), entry('B|1', CHARGES), entry('C|1', RUNS)],
    ['C|1', 'B|1', 'A|1'],
  ],
  [
    'brand, then model',
    [entry('Volvo|B', OFF), entry('Cat|Z', OFF), entry('Volvo|A', OFF)],
    ['Cat|Z', 'Volvo|A', 'Volvo|B'],
  ],
  [
    'letters before case and accent',
    [entry('zeta|1', OFF), entry('Éco|1', OFF), entry('Fox|1', OFF), entry('eco|2', OFF)],
    ['Éco|1', 'eco|2', 'Fox|1', 'zeta|1'],
  ],
  ['numbers by size', [entry('X|ZE10', OFF), entry('X|ZE2', OFF)], ['X|ZE2', 'X|ZE10']],
  [
    'then alias, then serial number',
    [entry('X|1|b|1', OFF), entry('X|1|a|2', OFF), entry('X|1|a|1', OFF)],
    ['X|1|a|1', 'X|1|a|2', 'X|1|b|1'],
  ],
];

test.each(cases)(
  'inFleetOrder sorts machines as the quick menu lists them: %s (APP-08)',
  (_name, entries, expected) => {
    expect(inFleetOrder(entries).map(nameOf)).toEqual(expected);
    expect(inFleetOrder([...entries].reverse()).map(nameOf)).toEqual(expected);
  },
);

test('inFleetOrder does not change the given list (APP-08)', () => {
  const entries = [entry('B|1', OFF), entry('A|1', OFF)];
  inFleetOrder(entries);
  expect(entries.map(nameOf)).toEqual(['B|1', 'A|1']);
});

test('sortByName returns the same with and without an earlier result, also after machines were renamed, added or deleted (APP-08)', () => {
  const before = sortByName([entry('C|1|c|1', OFF), entry('A|1|a|2', OFF), entry('B|1|b|3', OFF)]);
  const next = [
    entry('D|1|d|4', RUNS),
    entry('A|0|z|1', OFF),
    entry('B|1|b|3', CHARGES),
    entry('B|1|a|5', OFF),
  ];
  const expected = ['A|0|z|1', 'B|1|a|5', 'B|1|b|3', 'D|1|d|4'];
  expect(sortByName(next).map(nameOf)).toEqual(expected);
  expect(sortByName(next, before).map(nameOf)).toEqual(expected);
  expect(sortByName(next, before)).toContain(next[2]);
});
