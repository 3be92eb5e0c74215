import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DayChart, PathPoint } from '#shared/contract/history.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { callApi } from '#web/lib/api.ts';
import { deriveQuery } from '#web/queries/read.ts';
import { last24Hours } from './history-view.ts';

export const RANGE_POLL_MS = 60_000;
/** Number of points to request per line: enough for a chart as wide as the page. */
export const CHART_POINTS = 600;

export type HistoryRequest = {
  readonly serial: string;
  /** The range that the user picked; undefined for the last 24 hours at the time of the request. */
  readonly picked: TimeRange | undefined;
  readonly isEnabled: boolean;
};

/** Returns the part of a query key that identifies the machine and the range. */
export const historyKey = ({ serial, picked }: HistoryRequest) =>
  picked ? [serial, picked.from, picked.to] : [serial, 'last 24 hours'];
export const isoRange = ({ from, to }: TimeRange) => ({
  start: new Date(from).toISOString(),
  end: new Date(to).toISOString(),
});

export type DayAnswer = { readonly range: TimeRange; readonly chart: DayChart };

/** Queries charge levels and running and charging periods of a range. Returns the previous range's data while another one is loaded. */
export const useDayChart = (request: HistoryRequest) =>
  useQuery({
    ...deriveQuery(
      'GET /api/influx/day/:serialNumber',
      historyKey(request),
      async (signal): Promise<DayAnswer> => {
        const range = request.picked ?? last24Hours(Date.now());
        const query = { ...isoRange(range), points: CHART_POINTS };
        const params = { serialNumber: request.serial };
        return {
          range,
          chart: await callApi('GET /api/influx/day/:serialNumber', { params, query, signal }),
        };
      },
    ),
    enabled: request.isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: request.picked ? false : RANGE_POLL_MS,
  });

/** A point of the route. `ms` is unix time, `speed` in km/h and `soc` in %. */
export type RoutePoint = {
  readonly lat: number;
  readonly lon: number;
  readonly ms: number;
  readonly speed: number | undefined;
  readonly soc: number | undefined;
};

/** Queries the route of a range, thinned by the server to what a screen can show. It is not polled (MDET-12). */
export const useRoute = (request: HistoryRequest) =>
  useQuery({
    ...deriveQuery('GET /api/influx/gps/:serialNumber', historyKey(request), async (signal) => {
      const params = { serialNumber: request.serial };
      const query = { mode: 'path', ...isoRange(request.picked ?? last24Hours(Date.now())) } as const;
      return routeOf(await callApi('GET /api/influx/gps/:serialNumber', { params, query, signal }));
    }),
    enabled: request.isEnabled,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });

/** Returns the route without points that have no position (MDET-14). */
const routeOf = (points: readonly PathPoint[]): RoutePoint[] =>
  points
    .filter(({ lat, lon }) => Number.isFinite(lat) && Number.isFinite(lon))
    .map(({ lat, lon, time, speed, soc }) => ({ lat, lon, ms: Date.parse(time), speed, soc }));

/** Returns the last data that arrived, also when a later request fails. */
export function useLastData<T>(data: T | undefined): T | undefined {
  const [kept, setKept] = useState(data);
  if (data !== undefined && data !== kept) setKept(data);
  return data ?? kept;
}
