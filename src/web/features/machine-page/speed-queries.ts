import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MAX_ROUTE_SPEEDS_DAYS } from '#shared/domain/route-speeds.ts';
import { callApi } from '#web/lib/api.ts';
import { deriveQuery } from '#web/queries/read.ts';
import { type HistoryRequest, historyKey, isoRange } from './history-queries.ts';
import { last24Hours } from './history-view.ts';

const DAY_MS = 86_400_000;

type Answer = Awaited<ReturnType<typeof callApi<'GET /api/influx/speeds/:serialNumber'>>>;

/**
 * Speeds of a route in km/h, of the range divided into time slots: `slot` is the length of a slot in seconds, `course`
 * has the highest speed of each slot. `ms` is Unix time.
 */
export type RouteSpeeds = Pick<Answer, 'driven' | 'carried' | 'slot'> & {
  readonly course: readonly { readonly ms: number; readonly kmh: number; readonly isCarried: boolean }[];
};

/** Queries the speeds of a range. `isLong`: the range has too many days, so nothing is loaded. */
export function useRouteSpeeds(request: HistoryRequest) {
  const { picked } = request;
  const isLong = picked !== undefined && picked.to - picked.from > MAX_ROUTE_SPEEDS_DAYS * DAY_MS;
  const query = useQuery({
    ...deriveQuery('GET /api/influx/speeds/:serialNumber', historyKey(request), async (signal) => {
      const range = picked ?? last24Hours(Date.now());
      const { course, ...speeds } = await callApi('GET /api/influx/speeds/:serialNumber', {
        params: { serialNumber: request.serial },
        query: isoRange(range),
        signal,
      });
      const points = course.map(({ time, ...point }) => ({ ms: Date.parse(time), ...point }));
      return { range, speeds: { ...speeds, course: points } satisfies RouteSpeeds };
    }),
    enabled: request.isEnabled && !isLong,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  return { data: query.data, error: query.error, isLong };
}
