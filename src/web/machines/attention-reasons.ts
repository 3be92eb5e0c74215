import { may } from '#shared/domain/access.ts';
import type { SeenEntry } from '#web/live/live-image.ts';
import { useUser } from '#web/session/user.ts';
import { useWithEmptyLogs } from './empty-logs.ts';
import { useWithFaults } from './fleet-faults.ts';
import { useFleetFigures } from './fleet-figures.ts';
import type { Judged } from './fleet-filter.ts';
import { useWithAlerts } from './open-alerts.ts';

/** Adds every reason that live data alone do not give, so that 'Aandacht' counts the same machines on the map and in the overview. */
export function useWithReasons(fleet: readonly Judged<SeenEntry>[]): readonly Judged<SeenEntry>[] {
  const figures = useFleetFigures(may(useUser(), 'see-machines'));
  return useWithAlerts(useWithEmptyLogs(useWithFaults(fleet, figures.data)));
}
