import { expect, test } from 'vitest';
import type { ReportAnswer } from '#shared/contract/reports.ts';
import { barsOf } from './chart-bars.ts';

const column = (key: string, kind: ReportAnswer['columns'][number]['kind']) => ({
  key,
  title: key,
  unit: '',
  kind,
  digits: 0,
  isSummed: kind !== 'text',
});
const reportOf = (kind: ReportAnswer['report'], rows: ReportAnswer['rows'], isCut = false): ReportAnswer => ({
  report: kind,
  title: '',
  from: '',
  to: '',
  organization: '',
  columns: [
    column('day', 'day'),
    column('from', 'moment'),
    column('alias', 'text'),
    column('running', 'duration'),
    column('charged', 'energy'),
  ],
  rows,
  isCut,
  totals: null,
  notes: [],
});

test('the chart sums rows by machine or by day (14.4f)', () => {
  const rows = [
    ['2026-10-02', '2026-10-01T22:30:00.000Z', 'Rups', 60, 1],
    ['2026-10-01', '2026-10-01T12:00:00.000Z', 'Krol', 90, 2],
    ['2026-10-02', '2026-10-01T12:00:00.000Z', 'Rups', 50, 4],
  ];
  const bars = (kind: ReportAnswer['report']) => barsOf(reportOf(kind, rows))?.bars;
  expect(bars('inzet')).toEqual([
    { name: 'Rups', value: 110 },
    { name: 'Krol', value: 90 },
  ]);
  expect(bars('dagstaten')).toEqual([
    { name: '2026-10-01', value: 90 },
    { name: '2026-10-02', value: 110 },
  ]);
  expect(bars('laadbeurten')).toEqual([
    { name: '2026-10-01', value: 6 },
    { name: '2026-10-02', value: 1 },
  ]);
  expect(bars('route')).toBeUndefined();
  expect(barsOf(reportOf('inzet', rows, true))).toBeUndefined();
  expect(barsOf(reportOf('inzet', rows.slice(0, 1)))).toBeUndefined();
});
