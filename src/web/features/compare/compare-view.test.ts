import { expect, test } from 'vitest';
import {
  type CompareView,
  compareSearchOf,
  compareViewOf,
  daysText,
  figureDaysOf,
  graphDaysOf,
  machinesErrorText,
  monthsUntil,
  periodErrorText,
} from './compare-view.ts';

const TODAY = '2026-11-29';
const of = (search: string): CompareView => compareViewOf(new URLSearchParams(search));

test.each([
  '?machine=A&machine=B',
  '?machine=A&machine=B&periode=gisteren',
  '?machine=A&van=2026-11-01&tot=2026-11-07&maand=2026-10',
])('the address of a comparison %s is the same after reading and writing it (53.31)', (search) => {
  expect(compareSearchOf(of(search))).toBe(search);
});

test('invalid values in the address of a comparison are ignored (53.31)', () => {
  expect(of('?machine=&machine=%20A%20&periode=ooit&van=2026-02-30&tot=2026-03-01&maand=2026-13')).toEqual({
    machines: ['A'],
    period: '7-dagen',
    month: undefined,
  });
});

test.each([
  ['7-dagen', '2026-11-23', '2026-11-29'],
  ['vandaag', '2026-11-29', '2026-11-29'],
  ['gisteren', '2026-11-28', '2026-11-28'],
  ['vorige-maand', '2026-10-01', '2026-10-31'],
] as const)('the period %s runs from %s to %s (53.31)', (period, from, to) => {
  expect(graphDaysOf({ period }, TODAY)).toEqual({ from, to });
});

test.each([
  ['', '2026-11-23', '2026-11-29', '23-11-2026 tot en met 29-11-2026'],
  ['?periode=vandaag', '2026-11-29', '2026-11-29', '29-11-2026'],
  ['?periode=deze-maand', '2026-11-01', '2026-11-30', 'november 2026'],
  ['?periode=vorige-maand', '2026-10-01', '2026-10-31', 'oktober 2026'],
  ['?van=2026-10-01&tot=2026-10-30', '2026-10-01', '2026-10-30', '01-10-2026 tot en met 30-10-2026'],
  ['?van=2026-10-02&tot=2026-10-31', '2026-10-02', '2026-10-31', '02-10-2026 tot en met 31-10-2026'],
  ['?periode=vandaag&maand=2024-02', '2024-02-01', '2024-02-29', 'februari 2024'],
  ['?maand=2025-12', '2025-12-01', '2025-12-31', 'december 2025'],
])('the table of the address %s covers %s to %s and is titled %s (53.31)', (search, from, to, text) => {
  expect(figureDaysOf(of(search), TODAY)).toEqual({ from, to });
  expect(daysText({ from, to })).toBe(text);
});

test('the list of months to choose from has the last two years, and the month in the address if that is older (53.31)', () => {
  expect(monthsUntil(TODAY, undefined)).toHaveLength(24);
  expect(monthsUntil(TODAY, '2026-11')).toHaveLength(24);
  expect(monthsUntil(TODAY, '2020-01').at(-1)).toBe('2020-01');
});

test.each([
  [[], 'Kies twee tot vijf machines.'],
  [['A'], 'Kies nog minstens één machine.'],
  [['A', 'a'], 'Machine a staat er twee keer in.'],
  [['A', 'B', 'C', 'D', 'E', 'F'], 'Kies hoogstens vijf machines; dit zijn er 6.'],
  [['A', 'B'], undefined],
])('the error for machines %j is %s (53.31)', (machines, error) => {
  expect(machinesErrorText(machines)).toBe(error);
});

test.each([
  ['2026-11-02', '2026-11-01', 'De laatste dag ligt voor de eerste dag.'],
  ['2026-11-30', '2026-12-01', 'De eerste dag ligt in de toekomst.'],
  ['2026-10-01', '2026-11-01', 'Kies hoogstens 31 dagen.'],
  ['2026-10-01', '2026-10-31', undefined],
])('the error for a period from %s to %s is %s (53.31)', (from, to, error) => {
  expect(periodErrorText({ from, to }, TODAY)).toBe(error);
});
