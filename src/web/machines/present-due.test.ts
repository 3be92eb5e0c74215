import { expect, test } from 'vitest';
import type { FleetFigure } from '#shared/contract/fleet-figures.ts';
import { firstDueMaintenance } from './present-due.ts';

const maintenance: FleetFigure['maintenance'] = {
  planName: 'Grote beurt',
  state: 'due',
  by: 'hours',
  dueHours: 1_500,
  hoursLeft: -105,
  dueDay: null,
  daysLeft: null,
};

test('firstDueMaintenance returns the plan that is due first, with the hours that it is overdue', () => {
  expect(firstDueMaintenance({ 'EX-1': { power: null, maintenance } }, 'EX-1')).toEqual({
    planName: 'Grote beurt',
    text: 'Grote beurt: Nu nodig, 105 uur over tijd',
  });
});

test('firstDueMaintenance returns undefined without a plan, for an unknown machine, and before the figures are loaded', () => {
  expect(firstDueMaintenance({ 'EX-1': { power: null } }, 'EX-1')).toBeUndefined();
  expect(firstDueMaintenance({}, 'toString')).toBeUndefined();
  expect(firstDueMaintenance(undefined, 'EX-1')).toBeUndefined();
});
