import type { MaintenanceItem } from '#shared/contract/fleet-maintenance.ts';
import { dutchDate, formatDecimals } from '#shared/domain/nl.ts';

/** The options of the filter that limits which tasks are listed. `address` is the value in the page's address; '' for the default. */
export const MAINTENANCE_FILTER_OPTIONS = [
  { value: 'due', address: 'nodig', label: 'Nu nodig' },
  { value: 'soon', address: 'bijna', label: 'Bijna nodig' },
  { value: 'all', address: '', label: 'Alles' },
] as const;

export const MAINTENANCE_SORT_OPTIONS = [
  { value: 'due', address: '', label: 'Eerst nodig' },
  { value: 'machine', address: 'machine', label: 'Machine' },
  { value: 'task', address: 'onderhoud', label: 'Onderhoud' },
  { value: 'last', address: 'laatst', label: 'Langst geleden gedaan' },
] as const;

/**
 * Returns for example 'Verwacht rond 12-12-2026, bij 38 uur per week'; undefined if the task is due now or depends on
 * a date only.
 */
export function expectedText({
  state,
  dueDay,
  dueHours,
  expectedDay,
  hoursPerWeek,
}: MaintenanceItem): string | undefined {
  if (state === 'due' || dueHours === null) return undefined;
  if (hoursPerWeek === null) return 'Nog te weinig gedraaid om een dag te verwachten';
  if (expectedDay === null) return 'Draaide de laatste vier weken niet';
  if (expectedDay === dueDay) return undefined;
  return `Verwacht rond ${dutchDate(expectedDay)}, bij ${formatDecimals(hoursPerWeek, 0, 0)} uur per week`;
}
