import { expect, test } from 'vitest';
import { chargedEnergyLine, costLine } from './charged-lines.ts';
import { MJ_PER_KWH } from './column.ts';

test.each([
  [
    'all parts',
    { sessions: 100, after: 2.1, before: 1.05, charged: 106.35 },
    'Laadbeurten € 100,00 − € 2,10 na de periode + € 1,05 van laadbeurten die eerder begonnen + € 7,40 buiten laadbeurten van dit rapport = Laadkosten van Dagstaten € 106,35.',
  ],
  [
    'cents that do not add up by themselves, which the largest part takes',
    { sessions: 61.118, after: 15.2, before: 0, charged: 45.914 },
    'Laadbeurten € 61,12 − € 15,21 na de periode = Laadkosten van Dagstaten € 45,91.',
  ],
  [
    'less in Dagstaten of a project',
    { sessions: 1_234.5, after: 0, before: 0, charged: 34.5 },
    'Laadbeurten € 1.234,50 − € 1.200,00 buiten laadbeurten van dit rapport = Laadkosten van Dagstaten € 34,50.',
  ],
  [
    'half a cent, rounded as the cells are',
    { sessions: 1.005, after: 0, before: 0, charged: 1.005 },
    'Laadbeurten € 1,01 = Laadkosten van Dagstaten € 1,01.',
  ],
])('the line about charging costs has %s (53.5)', (_, sums, line) => {
  expect(costLine(sums)).toBe(line);
});

test('the kWh in the line about charged energy add up after rounding to tenths (53.5)', () => {
  const kwh = (value: number): number => value * MJ_PER_KWH;
  const sums = { sessions: kwh(10.04), after: kwh(1.04), before: kwh(0.02), charged: kwh(9.06) };
  expect(chargedEnergyLine(sums)).toBe('Laadbeurten 10,0 − 0,9 na de periode = Geladen 9,1 kWh.');
});
