import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { LmbData } from '#shared/contract/lmb-loggers.ts';
import { rangeOfDay, type TimeRange } from '#shared/domain/time-range.ts';
import { callApi } from '#web/lib/api.ts';
import { DEFAULT_RANGE } from '#web/machines/default-range.ts';
import { deriveQuery } from '#web/queries/read.ts';
import { type RailData, railDataOf } from './rail-data.ts';

export type RailAnswer = {
  /** The requested range, or the last day with data if the default range is empty. */
  readonly range: TimeRange;
  readonly data: RailData;
  /** Hours per status in the range. */
  readonly totals: LmbData['totals'];
  /** The last day with data, 'YYYY-MM-DD'; null if the logger never reported. */
  readonly lastDay: string | null;
};

/** Query options for large history responses: a response is not compared with the previous one and never becomes stale. */
const LARGE = {
  structuralSharing: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/**
 * Query of the history in the range that the user picked. Without a picked range: in the default range or, if that has
 * no data, on the last day with data (LOG-04).
 */
export const useRailData = (loggerid: string, picked: TimeRange | undefined, points: number) =>
  useQuery({
    ...LARGE,
    ...deriveQuery(
      'GET /api/berend/get/data',
      [loggerid, picked, points],
      async (signal): Promise<RailAnswer> => {
        const range = picked ?? DEFAULT_RANGE;
        const answer = await fetchData(loggerid, range, points, signal);
        const day = picked || !isEmpty(answer) ? null : answer.lastDay;
        const lastDay = day === null ? undefined : rangeOfDay(day, Date.now());
        if (!lastDay) return answerOf(range, answer);
        const ofDay = await fetchData(loggerid, lastDay, points, signal);
        return answerOf(lastDay, ofDay);
      },
    ),
    placeholderData: keepPreviousData,
  });

const answerOf = (range: TimeRange, answer: LmbData): RailAnswer => ({
  range,
  data: railDataOf(answer),
  totals: answer.totals,
  lastDay: answer.lastDay,
});

/** Query of the history in the part of the range to which the user zoomed, in more detail. */
export const useRailDetail = (loggerid: string, part: TimeRange | undefined, points: number) =>
  useQuery<RailData>({
    ...LARGE,
    queryKey: ['GET /api/berend/get/data', 'detail', loggerid, part, points],
    queryFn: part
      ? async ({ signal }) => railDataOf(await fetchData(loggerid, part, points, signal))
      : skipToken,
  });

const fetchData = (loggerid: string, { from, to }: TimeRange, points: number, signal: AbortSignal) =>
  callApi('GET /api/berend/get/data', {
    query: { loggerid, start: new Date(from).toISOString(), end: new Date(to).toISOString(), points },
    signal,
  });

const isEmpty = ({ speed, machinestatus, spoor, spoorstand, location }: LmbData): boolean =>
  [...speed, ...machinestatus].every(({ data }) => data.length === 0) &&
  [spoor, spoorstand, location].every(({ length }) => length === 0);
