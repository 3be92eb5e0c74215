import { expect, test } from 'vitest';
import type { Label, Labels } from '#shared/contract/labels.ts';
import { labelsAfterChange, labelsAfterFavouriteChange, labelsByMachine } from './fleet-labels.ts';

const label = (_id: number, labelName: string, ...machines: string[]): Label => ({
  _id,
  labelName,
  labelColour: 'blue',
  organization: 'klant',
  cleanorg: 'klant BV',
  machines,
});
const ALL: Labels = {
  labels: [label(2, 'Huur', 'A-1', '__proto__'), label(1, 'Kade', 'A-1')],
  favourites: ['A-1'],
};
const carried = (all: Labels, serial: string) =>
  labelsByMachine(all)
    .ofMachine(serial)
    .map(({ labelName }) => labelName);

test('labels and favourites are found for any serial number, labels sorted by name (15.2k)', () => {
  const { ofMachine, isFavourite, favourites } = labelsByMachine(ALL);
  expect(carried(ALL, 'A-1')).toEqual(['Huur', 'Kade']);
  expect(carried(ALL, '__proto__')).toEqual(['Huur']);
  expect(carried(ALL, 'constructor')).toEqual([]);
  expect(ofMachine('B-1')).toBe(ofMachine('C-1'));
  expect([isFavourite('A-1'), isFavourite('B-1'), favourites]).toEqual([true, false, 1]);
});

test('repeating a change of labels or favourites has no further effect (15.2k)', () => {
  const given = labelsAfterChange(labelsAfterChange(ALL, 1, 'B-1', true), 1, 'B-1', true);
  expect(carried(given, 'B-1')).toEqual(['Kade']);
  expect(carried(labelsAfterChange(given, 1, 'A-1', false), 'A-1')).toEqual(['Huur']);
  expect(
    labelsAfterFavouriteChange(labelsAfterFavouriteChange(ALL, 'B-1', true), 'A-1', false).favourites,
  ).toEqual(['B-1']);
  expect(carried(ALL, 'A-1')).toEqual(['Huur', 'Kade']);
});
