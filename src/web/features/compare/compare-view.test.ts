import { expect, test } from 'vitest';
import {
  type CompareView,
  daysOf,
  machinesFault,
  monthOf,
  monthsUntil,
  periodFault,
  searchOf,
  viewOf,
} from './compare-view.ts';

const TODAY = '2026-11-29';
const of = (search: string): CompareView => viewOf(new URLSearchParams(search));

test.each([
  '?machine=A&machine=B',
  '?machine=A&machine=B&periode=gisteren',
  '?machine=A&van=2026-11-01&tot=2026-11-07&maand=2026-10',
])('the address %s stands for the same comparison when it is written again (53.31)', (search) => {
  expect(searchOf(of(search))).toBe(search);
});

test('the address of a comparison leaves out values that cannot be (53.31)', () => {
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
] as const)('the period %s is %s to %s (53.31)', (period, from, to) => {
  expect(daysOf({ period }, TODAY)).toEqual({ from, to });
});

test('the table is of the month of the last day that has begun, unless the address says another (53.31)', () => {
  expect(monthOf(of('?periode=vorige-maand'), TODAY)).toBe('2026-10');
  expect(monthOf(of('?van=2026-11-20&tot=2026-12-05'), TODAY)).toBe('2026-11');
  expect(monthOf(of('?maand=2025-01'), TODAY)).toBe('2025-01');
  expect(monthsUntil(TODAY, '2026-11')).toHaveLength(24);
  expect(monthsUntil(TODAY, '2020-01').at(-1)).toBe('2020-01');
});

test.each([
  [[], 'Kies twee tot vijf machines.'],
  [['A'], 'Kies nog minstens één machine.'],
  [['A', 'a'], 'Machine a staat er twee keer in.'],
  [['A', 'B', 'C', 'D', 'E', 'F'], 'Kies hoogstens vijf machines; dit zijn er 6.'],
  [['A', 'B'], undefined],
])('machines %j: %s (53.31)', (machines, fault) => {
  expect(machinesFault(machines)).toBe(fault);
});

test.each([
  ['2026-11-02', '2026-11-01', 'De laatste dag ligt voor de eerste dag.'],
  ['2026-11-30', '2026-12-01', 'De eerste dag ligt in de toekomst.'],
  ['2026-10-01', '2026-11-01', 'Kies hoogstens 31 dagen.'],
  ['2026-10-01', '2026-10-31', undefined],
])('a period from %s to %s: %s (53.31)', (from, to, fault) => {
  expect(periodFault({ from, to }, TODAY)).toBe(fault);
});
