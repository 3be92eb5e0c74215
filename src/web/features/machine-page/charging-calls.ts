import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';

/** ms; what goes on is counted every few seconds, what is over hardly changes. */
const SESSIONS_EVERY_MS = 60_000;
const CAPACITY_EVERY_MS = 15 * 60_000;

/** The charging sessions that began in the last days. */
export const useSessions = (serial: string, days: number) =>
  useQuery({
    queryKey: ['machine-sessions', serial, days],
    queryFn: ({ signal }) =>
      call('GET /api/influx/sessions/:serialNumber', {
        params: { serialNumber: serial },
        query: { start: `-${days}d` },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: SESSIONS_EVERY_MS,
  });

/** Power over the state of charge; `start`: of the session. */
export const useCurve = (serial: string, start: string, goesOn: boolean) =>
  useQuery({
    queryKey: ['machine-curve', serial, start],
    queryFn: ({ signal }) =>
      call('GET /api/influx/sessions/:serialNumber/curve', {
        params: { serialNumber: serial },
        query: { start },
        signal,
      }),
    refetchInterval: goesOn ? SESSIONS_EVERY_MS : false,
  });

/** What the batteries take and give. */
export const useCapacity = (serial: string) =>
  useQuery({
    queryKey: ['machine-capacity', serial],
    queryFn: ({ signal }) =>
      call('GET /api/influx/capacity/:serialNumber', { params: { serialNumber: serial }, signal }),
    refetchInterval: CAPACITY_EVERY_MS,
  });

/** When it will be full, as it was told; asked while it charges. */
export const useForecast = (serial: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['machine-forecast', serial],
    queryFn: ({ signal }) =>
      call('GET /api/influx/forecast/:serialNumber', { params: { serialNumber: serial }, signal }),
    enabled: isEnabled,
    refetchInterval: SESSIONS_EVERY_MS,
  });

/** The days of a month, 'YYYY-MM'. */
export const useDays = (serial: string, month: string) =>
  useQuery({
    queryKey: ['machine-days', serial, month],
    queryFn: async ({ signal }) => ({
      month,
      ...(await call('GET /api/influx/days/:serialNumber', {
        params: { serialNumber: serial },
        query: { month },
        signal,
      })),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: SESSIONS_EVERY_MS,
  });
