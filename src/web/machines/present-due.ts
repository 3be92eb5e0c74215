import type { FleetFigures } from '#shared/contract/fleet-figures.ts';
import { dueText } from '#shared/domain/maintenance.ts';

/**
 * Returns the maintenance plan of a machine that is due first: its name, and 'Grote beurt: Nu nodig, 105 uur over tijd'. Returns
 * undefined if the machine has no plan or the figures are not loaded.
 */
export function firstDueMaintenance(figures: FleetFigures | undefined, serial: string) {
  const due = figures && Object.hasOwn(figures, serial) ? figures[serial]?.maintenance : undefined;
  return due && { planName: due.planName, text: `${due.planName}: ${dueText(due)}` };
}
