import { expect, test } from 'vitest';
import { baseValueOf, type Column, startTotals } from './column.ts';
import { DAY_COLUMNS, type DayRow } from './dagstaten.ts';
import { machineUseReportNotes } from './inzet.ts';
import { hasPositionSignal } from './metingen.ts';

test('the notes below Inzet name the factors that were used and those that are not set (14.4d)', () => {
  const none = machineUseReportNotes({ minutes: 1 }, []).join('\n');
  expect(none).toContain('minstens 1 minuut draaide');
  expect(none).toContain('CO2 is leeg');
  expect(none).toContain('Vermeden diesel is leeg');
  const set = machineUseReportNotes({ minutes: 30 }, [
    {
      kind: 'co2',
      organization: '',
      factor: { firstDay: '2026-01-01', source: 'co2emissiefactoren.nl', kgPerKwh: 0.27 },
    },
    {
      kind: 'diesel',
      organization: 'Graaf BV',
      factor: {
        firstDay: '2026-01-01',
        source: 'eigen tankadministratie',
        litresPerHour: 12.5,
        fromKw: 56,
        belowKw: null,
        comparedTo: 'rupskraan 20 t',
      },
    },
  ]).join('\n');
  expect(set).toContain('minstens 30 minuten draaide');
  expect(set).toContain('CO2-factor (vanaf 01-01-2026): 0,27 kg per kWh. Bron: co2emissiefactoren.nl.');
  expect(set).toContain(
    'Referentie diesel, vanaf 56 kW (Graaf BV, vanaf 01-01-2026): rupskraan 20 t, 12,5 liter per draaiuur. Bron: eigen tankadministratie.',
  );
});

test('used and fed-back energy are unknown without a measured current, and the total adds up the known rows (14.3w)', () => {
  const used = ['used', 'charged', 'fedBack', 'known'];
  const columns = DAY_COLUMNS.filter(({ key }) => used.includes(key)) as Column<DayRow>[];
  const row = (outMj: number, chargedMj: number, knownMs: number) =>
    ({ outMj, chargedMj, fedBackMj: 0, knownMs, heardMs: 1000 }) as DayRow;
  const bases = (rows: readonly DayRow[]) => {
    const totals = startTotals(columns);
    totals.add(rows);
    return totals.bases();
  };
  const unknown = row(0, 0, 0);
  expect(columns.map((column) => baseValueOf(column, unknown))).toEqual([null, null, null, 0]);
  expect(columns.map((column) => baseValueOf(column, row(0, 7, 0)))).toEqual([null, 7, null, 0]);
  expect(columns.map((column) => baseValueOf(column, row(0, 0, 1000)))).toEqual([0, 0, 0, 1]);
  expect(bases([unknown])).toEqual([null, null, null, 0]);
  expect(bases([unknown, row(5, 0, 1000)])).toEqual([5, 0, 0, 0.5]);
});

test.each([
  [['LATITUDE'], true],
  [['LONGITUDE', 'Speed'], true],
  [['Speed'], false],
])('whether the signals %j reveal the position: %j (14.3c)', (signals, expected) => {
  expect(hasPositionSignal(signals)).toBe(expected);
});
