import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DayChart, PathPoint } from '#shared/contract/history.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { call } from '#web/lib/api.ts';
import { last24Hours } from './history-view.ts';

/** ms; the last 24 hours move along, figures of 30 days hardly change. */
export const RANGE_EVERY_MS = 60_000;
const FIGURES_EVERY_MS = 5 * 60_000;
/** What a chart as wide as the page can show. */
export const CHART_POINTS = 600;

export type Asked = {
  readonly serial: string;
  /** undefined: the last 24 hours at the time of asking. */
  readonly picked: TimeRange | undefined;
  readonly isEnabled: boolean;
};

export const keyOf = ({ picked }: Asked) => (picked ? [picked.from, picked.to] : ['last 24 hours']);
export const iso = ({ from, to }: TimeRange) => ({
  start: new Date(from).toISOString(),
  end: new Date(to).toISOString(),
});

export type DayAnswer = { readonly range: TimeRange; readonly chart: DayChart };

/** SoC, running and charging of a range; what is shown stays while another range is asked for. */
export const useDayChart = (asked: Asked) =>
  useQuery<DayAnswer>({
    queryKey: ['machine-day', asked.serial, ...keyOf(asked)],
    queryFn: async ({ signal }) => {
      const range = asked.picked ?? last24Hours(Date.now());
      const query = { ...iso(range), points: CHART_POINTS };
      const params = { serialNumber: asked.serial };
      return { range, chart: await call('GET /api/influx/day/:serialNumber', { params, query, signal }) };
    },
    enabled: asked.isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: asked.picked ? false : RANGE_EVERY_MS,
  });

/** A place on the route; `ms` since 1970, km/h, %. */
export type RoutePoint = {
  readonly lat: number;
  readonly lon: number;
  readonly ms: number;
  readonly speed: number | undefined;
  readonly soc: number | undefined;
};

/** The route of a range, thinned by the server to what a screen can show. Asked once: the refresh stops (MDET-12). */
export const useRoute = (asked: Asked) =>
  useQuery<readonly RoutePoint[]>({
    queryKey: ['machine-route', asked.serial, ...keyOf(asked)],
    queryFn: async ({ signal }) =>
      routeOf(
        await call('GET /api/influx/gps/:serialNumber', {
          params: { serialNumber: asked.serial },
          query: { mode: 'path', ...iso(asked.picked ?? last24Hours(Date.now())) },
          signal,
        }),
      ),
    enabled: asked.isEnabled,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });

/** Points without a place are dropped (MDET-14). */
const routeOf = (points: readonly PathPoint[]): RoutePoint[] =>
  points
    .filter(({ lat, lon }) => Number.isFinite(lat) && Number.isFinite(lon))
    .map(({ lat, lon, time, speed, soc }) => ({ lat, lon, ms: Date.parse(time), speed, soc }));

/** kW over running time of the last 30 days, and the days behind it (MDET-05). */
export const useWorkPower = (serial: string) =>
  useQuery({
    queryKey: ['machine-power', serial],
    queryFn: ({ signal }) =>
      call('GET /api/influx/workpower/:serialNumber', {
        params: { serialNumber: serial },
        query: { start: '-30d', window: '300m' },
        signal,
      }),
    refetchInterval: FIGURES_EVERY_MS,
  });

/** Draaiuren (MDET-08). */
export const useOperatingHours = (serial: string) =>
  useQuery({
    queryKey: ['machine-hours', serial],
    queryFn: ({ signal }) =>
      call('GET /api/influx/driverhours/:serialNumber', {
        params: { serialNumber: serial },
        query: {},
        signal,
      }),
    refetchInterval: RANGE_EVERY_MS,
  });

/** The last answer that came: what was there stays when the next one fails. */
export function useKept<T>(data: T | undefined): T | undefined {
  const [kept, setKept] = useState(data);
  if (data !== undefined && data !== kept) setKept(data);
  return data ?? kept;
}
