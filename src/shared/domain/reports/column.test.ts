import { expect, test } from 'vitest';
import {
  type BaseValue,
  type Column,
  type ColumnKind,
  cellText,
  columnInfo,
  headingOf,
  startTotals,
  toOutputUnit,
} from './column.ts';

test.each<[ColumnKind, BaseValue, BaseValue, string]>([
  ['text', 'Rups', 'Rups', 'Rups'],
  ['day', '2026-10-25', '2026-10-25', '25-10-2026'],
  ['moment', Date.UTC(2026, 9, 25, 1), '2026-10-25T01:00:00.000Z', '25-10-26, 02:00:00'],
  ['duration', 90_061_000, 90_061, '25:01'],
  ['energy', 4_500_000_000, 1.25, '1,3'],
  ['energy', 359, 1e-7, '0,0'],
  ['distance', 1_250_000, 1.25, '1,3'],
  ['share', 0.94999, 94.9, '94,9'],
  ['share', 0.9999999, 99.9, '99,9'],
  ['share', 1, 100, '100,0'],
  ['number', 12, 12, '12'],
  ['number', null, null, ''],
])('a %s of %j is output as %j and shown as %j (14.4d)', (kind, base, unit, shown) => {
  const digits = kind === 'number' ? 0 : 1;
  expect([toOutputUnit(kind, base), cellText({ kind, digits }, toOutputUnit(kind, base))]).toEqual([
    unit,
    shown,
  ]);
});

type Row = { readonly ms: number; readonly kg: number | null; readonly part: number; readonly whole: number };
const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', title: 'Naam', kind: 'text', value: () => 'x' },
  { key: 'running', title: 'Draaiuren', kind: 'duration', isSummed: true, value: ({ ms }) => ms },
  { key: 'kg', title: 'CO2', unit: 'kg', kind: 'number', isSummed: true, value: ({ kg }) => kg },
  { key: 'most', title: 'Meeste', kind: 'number', value: ({ ms }) => ms },
  { key: 'coverage', title: 'Dekking', kind: 'share', parts: ({ part, whole }) => [part, whole] },
];

test('a total is an exact sum, the total share is computed from summed parts, and one unknown row makes a total unknown (14.4d)', () => {
  const totals = startTotals(COLUMNS);
  expect(totals.bases()).toEqual([null, 0, 0, null, null]);
  totals.add([
    { ms: 1, kg: 0.5, part: 1, whole: 1 },
    { ms: 2, kg: 1, part: 0, whole: 3 },
  ]);
  expect(totals.bases()).toEqual([null, 3, 1.5, null, 0.25]);
  totals.add([{ ms: 4, kg: null, part: 0, whole: 0 }]);
  expect(totals.bases()).toEqual([null, 7, null, null, 0.25]);
  expect(COLUMNS.map((column) => headingOf(columnInfo(column)))).toEqual([
    'Naam',
    'Draaiuren',
    'CO2 (kg)',
    'Meeste',
    'Dekking (%)',
  ]);
});
