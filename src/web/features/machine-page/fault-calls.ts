import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { call } from '#web/lib/api.ts';
import { iso, RANGE_POLL_MS } from './history-calls.ts';

/** The fault codes of a machine, active ones first. The present ones stay while more are loaded. */
export const useFaults = (serial: string, most: number) =>
  useQuery({
    queryKey: ['faults', serial, most],
    queryFn: ({ signal }) => call('GET /api/fault/get', { query: { serial, most }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: RANGE_POLL_MS,
  });

/** The fault codes of a machine in a range. */
export const useFaultsWithin = (serial: string, range: TimeRange, most: number) =>
  useQuery({
    queryKey: ['faults', serial, range.from, range.to],
    queryFn: ({ signal }) => call('GET /api/fault/get', { query: { serial, ...iso(range), most }, signal }),
    placeholderData: keepPreviousData,
  });
