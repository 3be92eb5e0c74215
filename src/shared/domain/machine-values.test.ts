import { expect, test } from 'vitest';
import { checkAccessories, checkBatteries, checkFreeText, checkNumber } from './machine-values.ts';

test.each([
  ['', 0],
  ['1234,5', 1234.5],
  ['1234.5', 1234.5],
  ['1.234', 1234],
  ['1.234,5', 1234.5],
  ['1,234', 1.234],
  ['1000000', 1_000_000],
  ['1000001', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['veel', undefined],
])('the initial hours %j are read as %j (MEDIT-14)', (text, value) => {
  const refused = { ok: false, reason: 'Urenstand bij aanvang is een getal van 0 tot 1.000.000.' };
  const expected = value === undefined ? refused : { ok: true, value };
  expect(checkNumber(text, 'Urenstand bij aanvang', 1_000_000)).toEqual(expected);
});

test.each([
  ['', []],
  ['[]', []],
  [
    '[{"naam":" Bak ","nummer":"-4"},{"naam":" ","nummer":"x"},{"naam":"Vork","nummer":-0}]',
    [
      { naam: 'Bak', nummer: -4 },
      { naam: 'Vork', nummer: 0 },
    ],
  ],
  ['[{"naam":"Bak","nummer":1.5}]', 'Het nummer van hulpstuk Bak is geen geheel getal: 1.5.'],
  ['[{"naam":"Bak"}]', 'Het nummer van hulpstuk Bak is geen geheel getal: leeg.'],
  ['[{"naam":"\\u0007","nummer":1}]', 'De naam van hulpstuk 1 bevat een onleesbaar teken.'],
  ['[{"naam":"Bak","nummer":1},7]', 'Hulpstuk 2 heeft geen naam.'],
  ['{', 'Hulpstukken: dit is geen lijst.'],
  ['{}', 'Hulpstukken: dit is geen lijst.'],
  [JSON.stringify(Array(201).fill(0)), 'Er zijn hoogstens 200 hulpstukken.'],
])('a list of accessories is read, or refused with the reason: case %# (MEDIT-03)', (json, expected) => {
  const checked = checkAccessories(json);
  expect(checked.ok ? checked.value : checked.reason).toEqual(expected);
});

test.each([
  ['[{"capacity":90.5},{"capacity":null},{}]', [90.5, null, null]],
  ['[{"capacity":0}]', 'De capaciteit van accu 1 is meer dan 0 en ten hoogste 10.000 kWh.'],
  ['[{},{"capacity":"9"}]', 'De capaciteit van accu 2 is meer dan 0 en ten hoogste 10.000 kWh.'],
  ['[7]', 'De capaciteit van accu 1 is meer dan 0 en ten hoogste 10.000 kWh.'],
  ['[{},{},{},{},{},{},{},{},{}]', "Een machine heeft hoogstens 8 accu's."],
  ['"x"', "Accu's: dit is geen lijst."],
])('the list of batteries %s is read, or refused with the reason (MEDIT-14)', (json, expected) => {
  const checked = checkBatteries(json);
  expect(checked.ok ? checked.value.map(({ capacity }) => capacity) : checked.reason).toEqual(expected);
});

test.each([
  [' Volta ', 'Volta'],
  ['👩‍🔧', '👩‍🔧'],
  [' ', 'Merk ontbreekt.'],
  ['x'.repeat(65), 'Merk mag hoogstens 64 tekens lang zijn.'],
  ['a\u200bb', 'Merk bevat een onleesbaar teken.'],
])('the brand %j is read, or refused with the reason (MEDIT-01)', (text, expected) => {
  const checked = checkFreeText(text, 'Merk', 64);
  expect(checked.ok ? checked.value : checked.reason).toBe(expected);
});
