import { expect, test } from 'vitest';
import {
  type Accessory,
  addAccessory,
  importedAccessories,
  parseAccessoryNumber,
  removeAccessory,
} from './accessories.ts';

test.each<[string, number | undefined]>([
  ['12', 12],
  [' 007 ', 7],
  ['+3', 3],
  ['-4', -4],
  ['-0', 0],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', undefined],
  ['1.234', 1234],
  ['12abc', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['- 4', undefined],
  ['٣', undefined],
  ['', undefined],
  ['  ', undefined],
])('the accessory number %j is read as %s (MEDIT-03)', (text, expected) => {
  expect(parseAccessoryNumber(text)).toBe(expected);
});

const list: Accessory[] = [
  { name: 'Bak', number: 1 },
  { name: 'Hamer', number: 2 },
];

test.each<[string, string, string, readonly Accessory[] | undefined]>([
  ['at the end', 'Vork', '3', [...list, { name: 'Vork', number: 3 }]],
  ['blanks around the name', '  Vork ', '3', [...list, { name: 'Vork', number: 3 }]],
  ['twice the same is allowed', 'Bak', '1', [...list, { name: 'Bak', number: 1 }]],
  ['empty name ignored', '', '3', list],
  ['blank name ignored, number or not', ' \t', 'x', list],
  ['no number', 'Vork', '', undefined],
  ['no whole number', 'Vork', '12abc', undefined],
])(
  'addAccessory returns the list with the new accessory, or rejects it: %s (MEDIT-03)',
  (_what, name, number, expected) => {
    expect(addAccessory(list, name, number)).toEqual(expected);
    expect(list).toHaveLength(2);
  },
);

test.each<[number, string[]]>([
  [0, ['Hamer']],
  [1, ['Bak']],
  [2, ['Bak', 'Hamer']],
  [-1, ['Bak', 'Hamer']],
])('removeAccessory removes the accessory at position %i (MEDIT-03)', (index, expected) => {
  expect(removeAccessory(list, index).map(({ name }) => name)).toEqual(expected);
});

test('an import skips empty names and returns a new list (MEDIT-04)', () => {
  const other = [...list, { name: '', number: 3 }, { name: '  ', number: 4 }, { name: ' Vork ', number: 5 }];
  expect(importedAccessories(other)).toEqual([...list, { name: 'Vork', number: 5 }]);
  expect(importedAccessories([])).toEqual([]);
});
