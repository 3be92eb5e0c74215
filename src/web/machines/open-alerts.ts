/** The open alerts: one query for the whole page, which the bell polls and all other screens read. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Alert, Alerts } from '#shared/contract/alerts.ts';
import { isActionAllowed } from '#shared/domain/access.ts';
import { withAlertReasons } from '#shared/domain/alerts/alert-reasons.ts';
import type { FleetEntry } from '#web/live/live-snapshot.ts';
import { readQuery } from '#web/queries/read.ts';
import { useUser } from '#web/session/user.ts';
import type { MachineWithState } from './fleet-filter.ts';

const POLL_EVERY_MS = 15_000;

export const openAlertsQuery = readQuery('GET /api/alert/get', { query: { state: 'firing' } });

/** Polls the open alerts and the number of new ones while the page is visible. Only the bell uses this hook. */
export function useAlertPolling() {
  const isEnabled = isActionAllowed(useUser(), 'see-machines');
  return useQuery({
    ...openAlertsQuery,
    enabled: isEnabled,
    refetchInterval: POLL_EVERY_MS,
    refetchOnWindowFocus: 'always',
  });
}

/** Returns the query that the bell polls. */
export const useOpenAlerts = () =>
  useQuery({
    ...openAlertsQuery,
    enabled: isActionAllowed(useUser(), 'see-machines'),
    staleTime: POLL_EVERY_MS,
  });

const NONE: readonly Alert[] = [];
/** Index of the alerts by machine, one per response; all machines share it. */
const indexes = new WeakMap<Alerts, ReadonlyMap<string, readonly Alert[]>>();

function byMachine(all: Alerts): ReadonlyMap<string, readonly Alert[]> {
  const index =
    indexes.get(all) ??
    Map.groupBy(
      all.alerts.filter(({ machine }) => machine),
      ({ machine }) => machine?.serialNumber ?? '',
    );
  indexes.set(all, index);
  return index;
}

/** Returns the open alerts of a machine, the newest first. */
export function useAlertsOf(serial: string): readonly Alert[] {
  const { data } = useOpenAlerts();
  return (data && byMachine(data).get(serial)) ?? NONE;
}

/** Adds open alerts to the reasons for attention; returns the given array itself if there are none. */
export function useFleetWithAlertReasons(
  fleet: readonly MachineWithState<FleetEntry>[],
): readonly MachineWithState<FleetEntry>[] {
  const { data } = useOpenAlerts();
  return useMemo(() => {
    if (!data || data.alerts.length === 0) return fleet;
    const ofMachine = byMachine(data);
    return fleet.map((one) => {
      const alerts = ofMachine.get(one.entry.metadata.serialNumber);
      return alerts ? { ...one, attention: withAlertReasons(one.attention, alerts) } : one;
    });
  }, [fleet, data]);
}
