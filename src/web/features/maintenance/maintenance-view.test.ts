import { expect, test } from 'vitest';
import type { MaintenanceItem } from '#shared/contract/fleet-maintenance.ts';
import { expectedText } from './maintenance-text.ts';
import { maintenanceViewOf, withView } from './maintenance-view.ts';

test.each(['', 'toon=nodig&volgorde=machine&project=3&zoek=beurt', 'label=3&toon=bijna'])(
  'the address "%s" is the same after reading and writing it (53.29)',
  (search) => {
    const params = new URLSearchParams(search);
    expect(withView(params, maintenanceViewOf(params)).toString()).toBe(search);
  },
);

test('invalid values in the address of the maintenance list are ignored (53.29)', () => {
  expect(maintenanceViewOf(new URLSearchParams('toon=ooit&volgorde=x&project=-1'))).toEqual({
    show: 'all',
    sort: 'due',
    project: undefined,
    text: '',
  });
});

const ITEM = {
  state: 'ok',
  dueHours: 500,
  dueDay: null,
  expectedDay: '2026-12-12',
  hoursPerWeek: 38.4,
} as MaintenanceItem;

test.each<[Partial<MaintenanceItem>, string | undefined]>([
  [{}, 'Verwacht rond 12-12-2026, bij 38 uur per week'],
  [{ state: 'due', expectedDay: null }, undefined],
  [{ dueHours: null }, undefined],
  [{ dueDay: '2026-12-12' }, undefined],
  [{ hoursPerWeek: null, expectedDay: null }, 'Nog te weinig gedraaid om een dag te verwachten'],
  [{ hoursPerWeek: 0, expectedDay: null }, 'Draaide de laatste vier weken niet'],
])('the day on which maintenance is expected is described for %j (53.29)', (part, expected) => {
  expect(expectedText({ ...ITEM, ...part })).toBe(expected);
});
