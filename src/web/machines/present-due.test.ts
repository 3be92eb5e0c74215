import { expect, test } from 'vitest';
import type { FleetFigure } from '#shared/contract/fleet-figures.ts';
import { presentDue } from './present-due.ts';

const maintenance: FleetFigure['maintenance'] = {
  planName: 'Grote beurt',
  state: 'due',
  by: 'hours',
  dueHours: 1_500,
  hoursLeft: -105,
  dueDay: null,
  daysLeft: null,
};

test('the plan that is due first is said with what is overdue now', () => {
  expect(presentDue({ 'EX-1': { power: null, maintenance } }, 'EX-1')).toEqual({
    planName: 'Grote beurt',
    text: 'Grote beurt: Nu nodig, 105 uur over tijd',
  });
});

test('nothing is said of a machine without a plan, of an unknown one, and before the figures are loaded', () => {
  expect(presentDue({ 'EX-1': { power: null } }, 'EX-1')).toBeUndefined();
  expect(presentDue({}, 'toString')).toBeUndefined();
  expect(presentDue(undefined, 'EX-1')).toBeUndefined();
});
