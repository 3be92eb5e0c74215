import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ComparedTimeSeries } from '#shared/contract/compare.ts';
import type { Period } from '#shared/domain/periods.ts';
import type { TimeRange } from '#shared/domain/time-range.ts';
import { callApi } from '#web/lib/api.ts';
import { deriveQuery, readQuery } from '#web/queries/read.ts';
import { rangeOfPeriod } from './compare-view.ts';

/** Number of points to request per line: enough for a chart as wide as the page. */
const POINTS = 600;
const EVERY_MS = 60_000;

export type ComparedSeries = { readonly range: TimeRange; readonly machines: readonly ComparedTimeSeries[] };

/** The graphs of machines over a period, reloaded every minute until the period has passed. */
export const useComparedSeries = (
  machines: readonly string[],
  days: Period,
  today: string,
  isEnabled: boolean,
) =>
  useQuery({
    ...deriveQuery('GET /api/compare/courses', [machines, days], async (signal): Promise<ComparedSeries> => {
      const range = rangeOfPeriod(days, Date.now());
      const query = {
        machines: JSON.stringify(machines),
        start: new Date(range.from).toISOString(),
        end: new Date(range.to).toISOString(),
        points: POINTS,
      };
      return { range, ...(await callApi('GET /api/compare/courses', { query, signal })) };
    }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: days.to < today ? false : EVERY_MS,
  });

/** The figures of machines over whole days, reloaded every minute until the last day has passed. */
export const useFigures = (
  machines: readonly string[],
  { from, to }: Period,
  today: string,
  isEnabled: boolean,
) =>
  useQuery({
    ...readQuery('GET /api/compare/figures', { query: { machines: JSON.stringify(machines), from, to } }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: to < today ? false : EVERY_MS,
  });
