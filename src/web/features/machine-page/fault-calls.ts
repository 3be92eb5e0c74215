import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { call } from '#web/lib/api.ts';
import { iso, RANGE_EVERY_MS } from './history-calls.ts';

/** The fault codes of a machine, active ones first; what is shown stays while more are asked for. */
export const useFaults = (serial: string, most: number) =>
  useQuery({
    queryKey: ['faults', serial, most],
    queryFn: ({ signal }) => call('GET /api/fault/get', { query: { serial, most }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: RANGE_EVERY_MS,
  });

/** Those of a time. */
export const useFaultsWithin = (serial: string, range: TimeRange, most: number) =>
  useQuery({
    queryKey: ['faults', serial, range.from, range.to],
    queryFn: ({ signal }) => call('GET /api/fault/get', { query: { serial, ...iso(range), most }, signal }),
    placeholderData: keepPreviousData,
  });
