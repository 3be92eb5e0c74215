import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

/** ms; figures of days and months hardly change. */
const EVERY_MS = 5 * 60_000;

/** What live data do not say of the fleet: asked once, and every five minutes at most, however often one comes back. */
export const useFleetFigures = (isEnabled = true) =>
  useQuery({
    queryKey: ['fleet-figures'],
    enabled: isEnabled,
    queryFn: ({ signal }) => call('GET /api/fleet/figures', { signal }),
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });

/** The figures of one machine, refreshed as often as those of the fleet. */
export const useMachineFigure = (serial: string, isWanted = true) =>
  useQuery({
    enabled: isWanted,
    queryKey: ['fleet-figures', serial],
    queryFn: ({ signal }) =>
      call('GET /api/fleet/figures/:serialNumber', { params: { serialNumber: serial }, signal }),
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });
