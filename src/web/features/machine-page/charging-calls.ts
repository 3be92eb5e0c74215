import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { useLastData } from './history-calls.ts';

const SESSIONS_POLL_MS = 60_000;
const CAPACITY_POLL_MS = 15 * 60_000;

/** The charging sessions that began in the last `days` days. */
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
    refetchInterval: SESSIONS_POLL_MS,
  });

/** The power by charge level of the session that began at `start`. */
export const useCurve = (serial: string, start: string, isOngoing: boolean) =>
  useQuery({
    queryKey: ['machine-curve', serial, start],
    queryFn: ({ signal }) =>
      call('GET /api/influx/sessions/:serialNumber/curve', {
        params: { serialNumber: serial },
        query: { start },
        signal,
      }),
    refetchInterval: isOngoing ? SESSIONS_POLL_MS : false,
  });

/** The usable capacity of the batteries when charging and discharging. */
export const useCapacity = (serial: string) =>
  useQuery({
    queryKey: ['machine-capacity', serial],
    queryFn: ({ signal }) =>
      call('GET /api/influx/capacity/:serialNumber', { params: { serialNumber: serial }, signal }),
    refetchInterval: CAPACITY_POLL_MS,
  });

/** The forecast of when a charging machine will be full. */
export const useForecast = (serial: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['machine-forecast', serial],
    queryFn: ({ signal }) =>
      call('GET /api/influx/forecast/:serialNumber', { params: { serialNumber: serial }, signal }),
    enabled: isEnabled,
    refetchInterval: SESSIONS_POLL_MS,
  });

/** The figures of the days of a month ('YYYY-MM'). */
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
    refetchInterval: SESSIONS_POLL_MS,
  });

/** The number of charge levels of 0 that do not count on a day ('YYYY-MM-DD'). */
export const useUnusedLevels = (serial: string, day: string) =>
  useQuery({
    queryKey: ['machine-unused-levels', serial, day],
    queryFn: ({ signal }) =>
      call('GET /api/influx/unused-levels/:serialNumber', {
        params: { serialNumber: serial },
        query: { day },
        signal,
      }),
    refetchInterval: SESSIONS_POLL_MS,
  });

/** The days with data from `first` to `last` ('YYYY-MM-DD'), which must lie in one month or in two consecutive months. */
export function useDaysOf(serial: string, first: string, last: string) {
  const months = { later: last.slice(0, 7), earlier: first.slice(0, 7) };
  const [later, earlier] = [useDays(serial, months.later), useDays(serial, months.earlier)];
  const kept = { later: useLastData(later.data), earlier: useLastData(earlier.data) };
  // While a month is loading, the query still returns the previous one.
  const laterDays = kept.later?.month === months.later ? kept.later.days : undefined;
  const earlierDays = kept.earlier?.month === months.earlier ? kept.earlier.days : undefined;
  return {
    byDate: new Map([...(earlierDays ?? []), ...(laterDays ?? [])].map((day) => [day.date, day])),
    isKnown: laterDays !== undefined && earlierDays !== undefined,
    contradiction: later.data?.contradiction,
    /** The query whose error a RetryAlert shows. */
    query: later.error ? later : earlier,
  };
}
