import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/api.ts';
import { useKept } from './history-calls.ts';

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

/** How many charge levels of 0 do not count on a day, 'YYYY-MM-DD'. */
export const useUnusedLevels = (serial: string, day: string) =>
  useQuery({
    queryKey: ['machine-unused-levels', serial, day],
    queryFn: ({ signal }) =>
      call('GET /api/influx/unused-levels/:serialNumber', {
        params: { serialNumber: serial },
        query: { day },
        signal,
      }),
    refetchInterval: SESSIONS_EVERY_MS,
  });

/** The days with data from one day to another ('YYYY-MM-DD'), which lie in one month or in two that follow each other. */
export function useDaysOf(serial: string, first: string, last: string) {
  const months = { later: last.slice(0, 7), earlier: first.slice(0, 7) };
  const [later, earlier] = [useDays(serial, months.later), useDays(serial, months.earlier)];
  const kept = { later: useKept(later.data), earlier: useKept(earlier.data) };
  // Until a month has come, the one before it stands there.
  const laterDays = kept.later?.month === months.later ? kept.later.days : undefined;
  const earlierDays = kept.earlier?.month === months.earlier ? kept.earlier.days : undefined;
  return {
    byDate: new Map([...(earlierDays ?? []), ...(laterDays ?? [])].map((day) => [day.date, day])),
    isKnown: laterDays !== undefined && earlierDays !== undefined,
    contradiction: later.data?.contradiction,
    /** For RetryAlert. */
    query: later.error ? later : earlier,
  };
}
