/** The alerts that are open, asked for once for the whole page: the bell asks again, and all others read what it brings. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Alert, Alerts } from '#shared/contract/alerts.ts';
import { may } from '#shared/domain/access.ts';
import { withAlerts } from '#shared/domain/attention.ts';
import { call } from '#web/lib/api.ts';
import type { FleetEntry } from '#web/live/live-image.ts';
import { useUser } from '#web/session/user.ts';
import type { Judged } from './fleet-filter.ts';

/** Every list of alerts begins with this. */
export const ALERTS = ['alerts'] as const;
export const OPEN_ALERTS = [...ALERTS, 'open'] as const;

const POLL_EVERY_MS = 15_000;

const query = {
  queryKey: OPEN_ALERTS,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call('GET /api/alert/get', { query: { state: 'open' }, signal }),
};

/** Those that are open, and how many are new; asked for again while the page is looked at. Mounted once, by the bell. */
export function useAlertPolling() {
  const isEnabled = may(useUser(), 'see-machines');
  return useQuery({
    ...query,
    enabled: isEnabled,
    refetchInterval: POLL_EVERY_MS,
    refetchOnWindowFocus: 'always',
  });
}

/** What the bell brought. */
export const useOpenAlerts = () =>
  useQuery({ ...query, enabled: may(useUser(), 'see-machines'), staleTime: POLL_EVERY_MS });

const NONE: readonly Alert[] = [];
/** Made once of each answer, however many machines ask. */
const known = new WeakMap<Alerts, ReadonlyMap<string, readonly Alert[]>>();

function byMachine(all: Alerts): ReadonlyMap<string, readonly Alert[]> {
  const made =
    known.get(all) ??
    Map.groupBy(
      all.alerts.filter(({ machine }) => machine),
      ({ machine }) => machine?.serialNumber ?? '',
    );
  known.set(all, made);
  return made;
}

/** The open alerts of one machine, the newest first. */
export function useAlertsOf(serial: string): readonly Alert[] {
  const { data } = useOpenAlerts();
  return (data && byMachine(data).get(serial)) ?? NONE;
}

/** The fleet, with what open alerts say among the reasons to look at a machine; the very list when nothing is open. */
export function useWithAlerts(fleet: readonly Judged<FleetEntry>[]): readonly Judged<FleetEntry>[] {
  const { data } = useOpenAlerts();
  return useMemo(() => {
    if (!data || data.alerts.length === 0) return fleet;
    const ofMachine = byMachine(data);
    return fleet.map((one) => {
      const alerts = ofMachine.get(one.entry.metadata.serialNumber);
      return alerts ? { ...one, attention: withAlerts(one.attention, alerts) } : one;
    });
  }, [fleet, data]);
}
