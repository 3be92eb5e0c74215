import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OwnCourses } from '#shared/contract/history.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { call } from '#web/lib/api.ts';
import { type Asked, CHART_POINTS, iso, keyOf, RANGE_EVERY_MS } from './history-calls.ts';
import { last24Hours } from './history-view.ts';

/** Which signals under their own names were sent since the range began. */
export const useOwnSignals = (asked: Asked) =>
  useQuery({
    queryKey: ['machine-own-signals', asked.serial, ...keyOf(asked)],
    queryFn: ({ signal }) => {
      const { start } = iso(asked.picked ?? last24Hours(Date.now()));
      return call('GET /api/influx/signals/:id', { params: { id: asked.serial }, query: { start }, signal });
    },
    enabled: asked.isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: asked.picked ? false : RANGE_EVERY_MS,
  });

export type OwnAnswer = OwnCourses & { readonly range: TimeRange };

/** Those signals over the range; what is shown stays while another range or choice is asked for. */
export const useOwnCourses = (asked: Asked, names: readonly string[]) =>
  useQuery<OwnAnswer>({
    queryKey: ['machine-own-courses', asked.serial, names, ...keyOf(asked)],
    queryFn: async ({ signal }) => {
      const range = asked.picked ?? last24Hours(Date.now());
      const query = { names: JSON.stringify(names), ...iso(range), points: CHART_POINTS };
      const params = { id: asked.serial };
      return { range, ...(await call('GET /api/influx/signals/:id/values', { params, query, signal })) };
    },
    enabled: asked.isEnabled && names.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: asked.picked ? false : RANGE_EVERY_MS,
  });
