import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

/** Interval of the queries: figures of days and months hardly change. */
const EVERY_MS = 5 * 60_000;

/** Queries the figures of the fleet that live data do not have, at most every five minutes. */
export const useFleetFigures = (isEnabled = true) =>
  useQuery({
    queryKey: ['fleet-figures'],
    enabled: isEnabled,
    queryFn: ({ signal }) => call('GET /api/fleet/figures', { signal }),
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });

/** Queries the figures of one machine, at most every five minutes. */
export const useMachineFigure = (serial: string, isWanted = true) =>
  useQuery({
    enabled: isWanted,
    queryKey: ['fleet-figures', serial],
    queryFn: ({ signal }) =>
      call('GET /api/fleet/figures/:serialNumber', { params: { serialNumber: serial }, signal }),
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });
