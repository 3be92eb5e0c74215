import { expect, test } from 'vitest';
import { emptyRow, type MappingDraft } from './mapping-draft.ts';
import { repairedDraft } from './mapping-repair.ts';

const SOURCE = { bus: 0, message: 'Accu', signal: 'X' };
const row = (to: string, factor = '', offset = '') => ({ to, source: SOURCE, factor, offset });
const DRAFT: MappingDraft = {
  rows: [
    row('BatteryCurrent', '0,1', '-400'),
    row('Soc1'),
    row('Soc2', '0,5'),
    emptyRow('Soc3'),
    row('MotorSpeed'),
  ],
  keep: [],
};
const found = { text: '', offset: 0 } as const;

test('repairing a mapping multiplies the row’s factor and offset by the corrective factor, and adds the corrective offset (52.7)', () => {
  const repair = repairedDraft(DRAFT, { ...found, signal: 'BatteryCurrent', factor: -1 });
  expect(repair?.names).toEqual(['BatteryCurrent']);
  expect(repair?.draft.rows).toEqual([row('BatteryCurrent', '-0,1', '400'), ...DRAFT.rows.slice(1)]);
  const smaller = repairedDraft(DRAFT, { ...found, signal: 'BatteryCurrent', factor: 0.1 });
  expect(smaller?.draft.rows[0]).toEqual(row('BatteryCurrent', '0,01', '-40'));
});

test('a repair of the charge level changes the rows of all mapped packs (52.7)', () => {
  const repair = repairedDraft(DRAFT, { ...found, signal: 'Soc', factor: -1, offset: 100 });
  expect(repair?.names).toEqual(['Soc1', 'Soc2']);
  expect(repair?.draft.rows.slice(1, 4)).toEqual([
    row('Soc1', '-1', '100'),
    row('Soc2', '-0,5', '100'),
    emptyRow('Soc3'),
  ]);
});

test('a mapping is not repaired if the corrective factor is unknown or the signal is not mapped (52.7)', () => {
  expect(repairedDraft(DRAFT, { ...found, signal: 'BatteryCurrent', factor: null })).toBeUndefined();
  expect(repairedDraft(DRAFT, { ...found, signal: 'BatteryVoltage', factor: 0.1 })).toBeUndefined();
});
