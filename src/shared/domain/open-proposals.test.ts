import { expect, test } from 'vitest';
import { countOpenProposals, openProposalsText } from './open-proposals.ts';

const proposal = (to: string, signal: string) => ({ to, bus: 0, message: 'BMS', signal });

test.each([
  ['none', [], 0],
  ['several for one signal', [proposal('Soc1', 'BatterySOC'), proposal('Soc1', 'UserSOC')], 1],
  ['two signals', [proposal('Speed', 'VehicleSpeed'), proposal('Soc1', 'BatterySOC')], 2],
  ['one DBC signal for two of ours', [proposal('Soc1', 'BatterySOC'), proposal('Soc2', 'BatterySOC')], 1],
  ['a position, which the GPS tells', [proposal('LATITUDE', 'Lat')], 0],
])('countOpenProposals counts proposals that are not accepted: %s (55.62)', (_, proposals, count) => {
  expect(countOpenProposals(proposals)).toBe(count);
});

test('the text about open proposals has a singular and a plural (55.62)', () => {
  expect([1, 2].map(openProposalsText)).toEqual([
    '1 voorstel nog niet overgenomen',
    '2 voorstellen nog niet overgenomen',
  ]);
});
