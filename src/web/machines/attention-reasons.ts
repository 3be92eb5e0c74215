import { useMemo } from 'react';
import type { FleetFigures } from '#shared/contract/fleet-figures.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import type { Attention } from '#shared/domain/attention.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { useUser } from '#web/session/user.ts';
import { useFleetWithEmptyLogReasons } from './empty-logs.ts';
import { useFleetWithFaultReasons } from './fleet-faults.ts';
import { useFleetFigures } from './fleet-figures.ts';
import type { MachineWithState } from './fleet-filter.ts';
import { useFleetWithAlertReasons } from './open-alerts.ts';
import { firstDueMaintenance } from './present-due.ts';

/**
 * Adds the reasons for attention that do not follow from live data, so that 'Aandacht' counts the same machines on
 * the map and in the overview.
 */
export function useFleetWithReasons(
  fleet: readonly MachineWithState<FleetEntry>[],
): readonly MachineWithState<FleetEntry>[] {
  const { data: figures } = useFleetFigures(isActionAllowed(useUser(), 'see-machines'));
  const reasoned = useFleetWithAlertReasons(
    useFleetWithEmptyLogReasons(useFleetWithFaultReasons(fleet, figures)),
  );
  return useMemo(
    () =>
      reasoned.map((row) =>
        row.attention.some(isMaintenance)
          ? { ...row, attention: row.attention.map((reason) => withPresentDue(reason, row, figures)) }
          : row,
      ),
    [reasoned, figures],
  );
}

const isMaintenance = ({ kind }: Attention): boolean => kind === 'maintenance';

/**
 * Replaces the text of a maintenance reason by one with the time that is left or overdue now, because the text of an
 * alert stays as it was when the alert opened.
 */
function withPresentDue(
  reason: Attention,
  { entry }: MachineWithState<FleetEntry>,
  figures: FleetFigures | undefined,
): Attention {
  const words = isMaintenance(reason)
    ? firstDueMaintenance(figures, entry.metadata.serialNumber)?.text
    : undefined;
  return words === undefined ? reason : { ...reason, words };
}
