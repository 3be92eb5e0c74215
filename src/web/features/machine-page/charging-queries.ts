import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '#web/lib/api.ts';
import { deriveQuery } from '#web/queries/read.ts';
import { useLastData } from './history-queries.ts';

export const SESSIONS_POLL_MS = 60_000;

/** Queries the figures of each day of a month ('YYYY-MM'). */
export const useDayFigures = (serial: string, month: string) =>
  useQuery({
    ...deriveQuery('GET /api/influx/days/:serialNumber', [serial, month], async (signal) => {
      const params = { serialNumber: serial };
      return {
        month,
        ...(await callApi('GET /api/influx/days/:serialNumber', { params, query: { month }, signal })),
      };
    }),
    placeholderData: keepPreviousData,
    refetchInterval: SESSIONS_POLL_MS,
  });

/** Queries the days with data from `first` to `last` ('YYYY-MM-DD'), which must lie in one month or in two consecutive months. */
export function useDayFiguresBetween(serial: string, first: string, last: string) {
  const months = { later: last.slice(0, 7), earlier: first.slice(0, 7) };
  const [later, earlier] = [useDayFigures(serial, months.later), useDayFigures(serial, months.earlier)];
  const kept = { later: useLastData(later.data), earlier: useLastData(earlier.data) };
  // While a newly chosen month is loading, the query still returns the month that was shown before.
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
