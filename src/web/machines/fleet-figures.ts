import { useQuery } from '@tanstack/react-query';
import { readQuery } from '#web/queries/read.ts';

/** Interval of the queries: figures of days and months hardly change. */
const EVERY_MS = 5 * 60_000;

/** Queries the figures of the fleet that live data do not have, at most every five minutes. */
export const useFleetFigures = (isEnabled = true) =>
  useQuery({
    ...readQuery('GET /api/fleet/figures'),
    enabled: isEnabled,
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });

/** Queries the figures of one machine, at most every five minutes. */
export const useMachineFigure = (serial: string, isWanted = true) =>
  useQuery({
    enabled: isWanted,
    ...readQuery('GET /api/fleet/figures/:serialNumber', { params: { serialNumber: serial } }),
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });
